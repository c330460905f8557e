// SPDX-License-Identifier: Apache-2.0
#include "compiler/scaled_products.hpp"

#include <algorithm>

#include "compiler/check/new_code.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;

bool has_scaled_products(const block& code) {
  return std::any_of(code.body.begin(), code.body.end(), [](const instruction& next) {
    const auto inside = [](const block& inner) { return has_scaled_products(inner); };
    return next.op == op::mma_scaled || std::any_of(next.blocks.begin(), next.blocks.end(), inside);
  });
}

value_type with_element(value_type type, dtype element) {
  type.element = element;
  return type;
}

class scaled_factor {
 public:
  scaled_factor(new_code& code, value_id factor, value_id scales, std::size_t axis)
      : code_(code), single_(with_element(code.type(factor), dtype::f32)), axis_(axis) {
    const value_id wide = code_.append(op::cast, single_, {factor});
    const value_id product = code_.append(op::multiply, single_, {wide, repeated(magnitudes(scales))}, {0});
    made_ = code_.append(op::cast, with_element(single_, dtype::bf16), {product});
  }
  value_id made() const { return made_; }

 private:
  value_id magnitudes(value_id scales) {
    const value_type type = with_element(code_.type(scales), dtype::f32);
    const bool may_be_negative = code_.type(scales).element == dtype::f8e4m3;
    const value_id wide = code_.append(op::cast, type, {scales});
    return may_be_negative ? code_.append(op::absolute, type, {wide}) : wide;
  }
  // Each scale for all elements of its block.
  value_id repeated(value_id scales) {
    const value_type type = code_.type(scales);
    const std::int32_t depth = single_.extents[axis_] / type.extents[axis_];
    value_type apart = type;  // the blocks on one axis, the elements of a block on the next
    apart.rank = 3;
    apart.extents = {type.extents[0], axis_ == 0 ? 1 : type.extents[1], axis_ == 0 ? type.extents[1] : 1};
    value_type whole = apart;
    whole.extents[axis_ + 1] = depth;
    const value_id column = code_.append(op::reshape, apart, {scales});
    return code_.append(op::reshape, single_, {code_.append(op::broadcast, whole, {column})});
  }

  new_code& code_;
  value_type single_;
  std::size_t axis_;
  value_id made_ = no_value;
};

void expand(program& source, block& code, code_before& before) {
  for (instruction& next : code.body) {
    for (block& inner : next.blocks) expand(source, inner, before);
    if (next.op != op::mma_scaled) continue;
    new_code added(source, next.location);
    const value_id a = scaled_factor(added, next.operands[0], next.operands[3], 1).made();
    const value_id b = scaled_factor(added, next.operands[1], next.operands[4], 0).made();
    next.op = op::mma;
    next.operands = {a, b, next.operands[2]};
    next.attributes = {0};
    before[&next] = added.take();
  }
}

}  // namespace

bool has_scaled_products(const program& source) { return has_scaled_products(source.entry); }

program with_plain_products(program source) {
  code_before before;
  expand(source, source.entry, before);
  insert(source.entry, before);
  return source;
}

}  // namespace tilewright::compiler
