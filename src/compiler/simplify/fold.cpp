// SPDX-License-Identifier: Apache-2.0
#include "compiler/simplify/fold.hpp"

#include <bit>

#include "compiler/constant_bits.hpp"
#include "compiler/rounded_semantics.hpp"
#include "compiler/scalar_fold.hpp"

namespace tilewright::compiler {
namespace {

using ast::op;
using word = std::optional<std::int64_t>;

class folder {
 public:
  folder(const instruction& source, const std::vector<value_type>& values, const std::vector<word>& constants)
      : source_(source), values_(values), constants_(constants) {}

  std::optional<folded> run() const {
    if (rounding_of(source_) != ast::rounding::nearest_even) return {};
    if (const word all = from_constants()) return folded{all, no_value};
    const value_id same = from_identities();
    if (same != no_value && type(same) == type(source_.results[0])) return folded{{}, same};
    if (same != no_value && source_.op == op::select && constant(same)) return folded{constant(same), no_value};
    if (const word number = from_integer_identities()) return folded{number, no_value};
    return {};
  }

 private:
  // ---- All operands constant
  word from_constants() const {
    for (const value_id operand : source_.operands) {
      if (!constant(operand)) return {};
    }
    switch (ast::info(source_.op).category) {
      case ast::op_category::unary:
      case ast::op_category::binary:
      case ast::op_category::comparison:
      case ast::op_category::ternary:
        return element_wise();
      case ast::op_category::convert:
        return converted();
      case ast::op_category::shape:
        return rearranged();
      case ast::op_category::reduce:
      case ast::op_category::scan:
        return along_axis();
      default:
        return {};
    }
  }

  word element_wise() const {
    const std::size_t data = source_.op == op::select ? 1 : 0;  // select's first operand is a bool
    const auto at = [&](std::size_t i) { return i < source_.operands.size() ? *constant(source_.operands[i]) : 0; };
    return fold(source_.op, type(source_.operands[data]).element, at(0), at(1), at(2));
  }

  word converted() const {
    const dtype to = type(source_.results[0]).element, from = type(source_.operands[0]).element;
    const std::int64_t operand = *constant(source_.operands[0]);
    return source_.op == op::cast ? word(fold_cast(to, from, operand)) : fold_bitcast(to, from, operand);
  }

  // Elements only change their places, and all are the same.
  word rearranged() const {
    const std::int64_t first = *constant(source_.operands[0]);
    return source_.op == op::cat && first != *constant(source_.operands[1]) ? word() : word(first);
  }

  word along_axis() const {
    if (source_.op == op::argmax) return 0;  // the first of ties, or the first NaN
    const op combining = ast::combining_op(source_.op);
    if (combining == op::maximum || combining == op::minimum) return constant(source_.operands[0]);
    return {};  // a sum depends on how its terms are joined
  }

  // ---- One operand decides. Never for floats where a sign of zero or a NaN would differ.
  value_id from_identities() const {
    const value_id a = operand(0), b = operand(1);
    const bool is_float = a != no_value && is_floating(type(a).element);
    switch (source_.op) {
      case op::add:
      case op::bit_or:
      case op::bit_xor:
        if (is_float) return no_value;
        return is(b, 0) ? a : is(a, 0) ? b : no_value;
      case op::subtract:
        return is_float ? (is_float_zero(b) ? a : no_value) : (is(b, 0) ? a : no_value);
      case op::shift_left:
      case op::shift_right:
        return is(b, 0) ? a : no_value;
      case op::multiply:
        return is_one(b) ? a : is_one(a) ? b : no_value;
      case op::divide:
      case op::floor_div:
        return is_one(b) ? a : no_value;
      case op::bit_and:
        return a == b || is_all_ones(b) ? a : is_all_ones(a) ? b : no_value;
      case op::minimum:
      case op::maximum:
        return a == b ? a : no_value;
      case op::select:
        return selected();
      case op::cast:
      case op::bitcast:
      case op::broadcast:
      case op::reshape:
      case op::extract:
        return a;
      case op::permute:
        return is_identity_permutation() ? a : no_value;
      default:
        return no_value;
    }
  }

  value_id selected() const {
    if (operand(1) == operand(2)) return operand(1);
    const word condition = constant(operand(0));
    if (!condition) return no_value;
    return operand(*condition != 0 ? 1 : 2);
  }

  bool is_identity_permutation() const {
    for (int axis = 0; axis < type(source_.results[0]).rank; ++axis) {
      if (((source_.attributes[0] >> (4 * axis)) & 15) != axis) return false;
    }
    return true;
  }

  word from_integer_identities() const {
    if (source_.operands.size() != 2 || is_floating(type(operand(0)).element)) return {};
    const value_id a = operand(0), b = operand(1);
    const bool are_same = a == b;
    switch (source_.op) {
      case op::multiply:
      case op::bit_and:
        return is(a, 0) || is(b, 0) ? word(0) : word();
      case op::subtract:
      case op::bit_xor:
        return are_same ? word(0) : word();
      case op::remainder:
      case op::floor_mod:
        return is(b, 1) ? word(0) : word();
      case op::equal:
      case op::less_equal:
      case op::greater_equal:
        return are_same ? word(1) : word();
      case op::not_equal:
      case op::less:
      case op::greater:
        return are_same ? word(0) : word();
      default:
        return {};
    }
  }

  // ---- Questions about operands
  value_id operand(std::size_t i) const { return i < source_.operands.size() ? source_.operands[i] : no_value; }
  word constant(value_id value) const {
    return value == no_value ? word() : constants_[static_cast<std::size_t>(value)];
  }
  bool is(value_id value, std::int64_t number) const { return constant(value) == number; }
  bool is_float_zero(value_id value) const { return is(value, std::bit_cast<std::int64_t>(0.0)); }
  bool is_one(value_id value) const {
    if (value == no_value) return false;
    return is(value, is_floating(type(value).element) ? std::bit_cast<std::int64_t>(1.0) : 1);
  }
  bool is_all_ones(value_id value) const {
    if (value == no_value || is_floating(type(value).element)) return false;
    return is(value, constant_word(-1, type(value).element));
  }
  const value_type& type(value_id value) const { return values_[static_cast<std::size_t>(value)]; }

  const instruction& source_;
  const std::vector<value_type>& values_;
  const std::vector<word>& constants_;
};

}  // namespace

std::optional<folded> fold_instruction(const instruction& source, const std::vector<value_type>& values,
                                       const std::vector<std::optional<std::int64_t>>& constants) {
  return folder(source, values, constants).run();
}

}  // namespace tilewright::compiler
