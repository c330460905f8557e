// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/program_combinations.hpp"

#include "tilewright/ast/products.hpp"

namespace tilewright::test {

// ---- Along an axis
program_combinations::typed program_combinations::number(const typed& v) {
  return v.type.element == dtype::boolean ? cast(v, dtype::i32) : v;
}

program_combinations::typed program_combinations::fit_for(op combined, const typed& v) {
  const bool is_float = is_floating(v.type.element);
  if (is_float && combined == op::multiply) return cast(cast(exact(v), dtype::boolean), v.type.element);
  return is_float && combined == op::add ? small(v) : v;
}

program_combinations::typed program_combinations::reduced() {
  typed v = number(some_tile());
  if (one_in(5)) return argmax(exact(v));
  const op which = pick<op>({op::reduce_sum, op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_product});
  for (int n = 1 + below(v.type.rank); n > 0; --n) {
    const int axis = below(v.type.rank);
    v = fit_for(ast::combining_op(which), v);
    v = made(which, with_extent(v.type, axis, 1), {v}, {axis});
  }
  return v;
}

program_combinations::typed program_combinations::argmax(const typed& v) {
  const int axis = below(v.type.rank);
  return made(op::argmax, with_element(with_extent(v.type, axis, 1), dtype::index), {v}, {axis});
}

program_combinations::typed program_combinations::scanned() {
  const op which = pick<op>({op::scan_sum, op::scan_sum, op::scan_max, op::scan_min, op::scan_product});
  const typed v = fit_for(ast::combining_op(which), number(some_tile()));
  const int axis = below(v.type.rank);
  return made(which, v.type, {v}, {axis, below(2)});
}

// ---- Combiners
program_combinations::typed program_combinations::combined() {
  const auto [counted, greatest] = pick<std::pair<dtype, std::int64_t>>({{dtype::i8, INT8_MAX},
                                                                         {dtype::u16, UINT16_MAX},
                                                                         {dtype::i32, INT32_MAX},
                                                                         {dtype::i64, INT64_MAX},
                                                                         {dtype::index, INT64_MAX}});
  const typed least = cast(exact(some_tile()), counted);
  const typed beside = adapted(exact(some_tile()), with_element(least.type, dtype::i32));
  const bool scans = one_in(2);
  const int axis = below(least.type.rank);
  std::vector<std::int64_t> attributes = {axis};
  if (scans) attributes.push_back(below(2));
  attributes.insert(attributes.end(), {greatest, 0});
  const ids results = builder_.combined(scans ? op::scan_begin : op::reduce_begin, {least.id, beside.id}, attributes,
                                        [&](const ids& left, const ids& right) { return joined_least(left, right); });
  const typed& chosen = one_in(2) ? least : beside;
  const value_type type = scans ? chosen.type : with_extent(chosen.type, axis, 1);
  return {results[&chosen == &least ? 0 : 1], type, any_number(type.element)};
}

program_combinations::ids program_combinations::joined_least(const ids& left, const ids& right) {
  const value_id least = builder_.like(op::minimum, {left[0], right[0]});
  const value_id nothing = builder_.constant(type_of(dtype::i32), 0);
  const auto beside = [&](const ids& side) {
    const value_id is_least = builder_.value(op::equal, type_of(dtype::boolean), {side[0], least});
    return builder_.value(op::select, type_of(dtype::i32), {is_least, side[1], nothing});
  };
  const value_id of_left = beside(left), of_right = beside(right);
  return {least, builder_.like(op::add, {of_left, of_right})};
}

// ---- Products
program_combinations::typed program_combinations::product() {
  const typed sum = some_tile();
  const bool is_there = ast::is_product_rank(sum.type.rank);
  return product_onto(is_there ? sum : adapted(sum, type_of(dtype::i32, shape(one_in(3) ? 3 : 2))));
}

program_combinations::typed program_combinations::product_onto(const typed& sum) {
  const dtype left = pick<dtype>({dtype::i8, dtype::u8, dtype::f16, dtype::bf16, dtype::f32, dtype::f64});
  const dtype right = ast::is_byte(left) ? pick<dtype>({dtype::i8, dtype::u8}) : left;
  dtype total = ast::is_byte(left) ? dtype::i32 : left == dtype::f64 ? dtype::f64 : dtype::f32;
  const std::int32_t depth = extent_of({1, 3, 8, 16, 17, 40, 64}, {1, 8, 16, 32, 64});
  if (left == dtype::f16 && one_in(3)) total = dtype::f16;  // of -1, 0 and 1
  const value_type type = with_element(sum.type, total);
  const bool is_tiny = total == dtype::f16;
  const int column = type.rank - 1;
  const typed a = factor(with_extent(with_element(type, left), column, depth), is_tiny);
  const typed b = factor(with_extent(with_element(type, right), column - 1, depth), is_tiny);
  const typed start = one_in(3) ? constant(type, 0) : addend(sum, total);
  return made(op::mma, type, {a, b, start}, {0});
}

program_combinations::typed program_combinations::addend(const typed& sum, dtype total) {
  const typed start = without_nan(small(cast(sum, total)));
  return total == dtype::f16 ? cast(cast(start, dtype::boolean), total) : start;
}

program_combinations::typed program_combinations::factor(const value_type& type, bool is_tiny) {
  const bool is_turned = one_in(2);
  const auto column = static_cast<std::size_t>(type.rank) - 1;
  value_type turned = type;
  if (is_turned) std::swap(turned.extents[column], turned.extents[column - 1]);
  typed made_factor = small(adapted(some(), turned));
  if (is_tiny) made_factor = cast(cast(made_factor, dtype::boolean), type.element);
  return is_turned ? made(op::permute, type, {made_factor}, {type.rank == 2 ? 0x01 : 0x120}) : made_factor;
}

}  // namespace tilewright::test
