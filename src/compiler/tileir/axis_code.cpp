// SPDX-License-Identifier: Apache-2.0
// Operations along an axis, and products. Lanes that rounding added take the neutral value before anything is combined.
#include <bit>

#include "compiler/tileir/kernel_state.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

// ---- Neutral values, as bits of an element -------------------------------------------------------------------------
// -0 is the neutral value of a sum of floats: +0 would turn a sum of -0 into +0.
std::uint64_t neutral_bits(op combining, dtype element) {
  const int bits = info(element).bits;
  const std::uint64_t sign = std::uint64_t{1} << (bits - 1), all = ~std::uint64_t{0} >> (64 - bits);
  const bool has_sign = tilewright::is_signed(element);
  if (is_floating(element)) {
    const std::uint64_t infinity = constant_bits(std::bit_cast<std::int64_t>(__builtin_inf()), element);
    if (combining == op::multiply) return constant_bits(std::bit_cast<std::int64_t>(1.0), element);
    if (combining == op::minimum) return infinity;
    return combining == op::maximum ? infinity | sign : sign;
  }
  switch (combining) {
    case op::multiply:
      return 1;
    case op::minimum:
      return has_sign ? all ^ sign : all;
    case op::maximum:
      return has_sign ? sign : 0;
    default:
      return 0;
  }
}

attribute identity(kernel_state& state, type_tag element, std::uint64_t bits) {
  attribute made;
  made.tag = is_float(element) ? attribute_tag::floating : attribute_tag::integer;
  made.of_type = state.ids.number(element);
  made.word = bits;
  return made;
}

code_value scalar_of(value_number number, type_tag element) { return {number, element, {}}; }

class along_axis {
 public:
  along_axis(kernel_state& state, const instruction& i)
      : state_(state),
        code_(state.code),
        i_(i),
        combining_(ast::combining_op(i.op)),
        axis_(static_cast<std::size_t>(i.attributes[0])) {
    const value_id operand = i.operands[0];
    element_ = state.type(operand).element;
    extent_ = state.type(operand).extents[axis_];
    // Sums and products of an index may need more bits than what is summed.
    const bool is_index = state.type(i.results[0]).element == dtype::index && element_ == dtype::index;
    const bool is_wide = is_index && (state.is_wide(operand) || state.is_wide(i.results[0]));
    x_ = state.get(operand, element_in_code(element_, is_wide));
  }

  void emit() {
    if (extent_ == 1) return emit_single();
    if (i_.op == op::argmax) return emit_argmax();
    const bool is_scan = ast::info(i_.op).category == ast::op_category::scan;
    const bool rounds = combining_ == op::add || combining_ == op::multiply;
    const bool in_f32 = rounds && (element_ == dtype::f16 || element_ == dtype::bf16);
    const type_tag narrow = x_.element;
    if (in_f32) {
      x_ = code_.tile_op(opcode::ftof, type_tag::f32, x_.shape, {x_.number}, {nearest_even});
      element_ = dtype::f32;
    }
    x_ = masked(state_, x_, extent_, axis_, neutral_in_code());
    code_value result = is_scan ? scanned() : code_.reshape(reduced(), kept_shape());
    if (in_f32) result = code_.tile_op(opcode::ftof, narrow, result.shape, {result.number}, {nearest_even});
    state_.set(i_.results[0], result);
  }

 private:
  void emit_single() {
    if (i_.op == op::argmax) x_ = code_.integer(type_tag::i32, 0, x_.shape);
    state_.set(i_.results[0], x_);
  }

  // Of an index that runs in 32 bits, the 32-bit value.
  std::uint64_t neutral_in_code() const {
    return neutral_bits(combining_, element_ == dtype::index && x_.element == type_tag::i32 ? dtype::i32 : element_);
  }

  tile_shape kept_shape() const {
    tile_shape shape = x_.shape;
    shape[axis_] = 1;
    return shape;
  }
  tile_shape shape_without_axis() const {
    tile_shape shape = x_.shape;
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis_));
    return shape;
  }

  code_value combined(const code_value& a, const code_value& b) {
    const bool floats = is_float(x_.element);
    const auto sign = static_cast<std::uint64_t>(tilewright::is_signed(element_) ? is_signed : is_unsigned);
    const auto two = [&](opcode code, std::initializer_list<std::uint64_t> fields, std::uint32_t flags) {
      return code_.like_op(code, a, {a.number, b.number}, fields, flags);
    };
    constexpr std::uint32_t propagate_nan = 1;
    switch (combining_) {
      case op::multiply:
        return floats ? two(opcode::mulf, {nearest_even}, 0) : two(opcode::muli, {0}, 0);
      case op::maximum:
        return floats ? two(opcode::maxf, {}, propagate_nan) : two(opcode::maxi, {sign}, 0);
      case op::minimum:
        return floats ? two(opcode::minf, {}, propagate_nan) : two(opcode::mini, {sign}, 0);
      default:
        return floats ? two(opcode::addf, {nearest_even}, 0) : two(opcode::addi, {0}, 0);
    }
  }

  operation folding(opcode code) {
    const type_id scalar = state_.ids.tile(x_.element);
    operation made;
    made.code = code;
    made.attributes = {identity(state_, x_.element, neutral_in_code())};
    made.operands = {x_.number};
    const std::vector<value_number> pair = code_.open_region({scalar, scalar});
    const code_value both = combined(scalar_of(pair[0], x_.element), scalar_of(pair[1], x_.element));
    code_.terminate(opcode::yield, {both.number});
    made.regions = {code_.close_region()};
    return made;
  }

  code_value reduced() {
    operation made = folding(opcode::reduce);
    made.fields = {axis_};
    const tile_shape shape = shape_without_axis();
    made.results = {state_.ids.tile(x_.element, shape)};
    return {code_.append(std::move(made)), x_.element, shape};
  }

  code_value scanned() {
    operation made = folding(opcode::scan);
    made.fields = {axis_, static_cast<std::uint64_t>(i_.attributes[1])};
    made.results = {state_.ids.tile(x_.element, x_.shape)};
    return {code_.append(std::move(made)), x_.element, x_.shape};
  }

  // ---- argmax: a reduction of pairs (value, place)
  void emit_argmax() {
    x_ = masked(state_, x_, extent_, axis_, neutral_in_code());
    const code_value places = code_.iota(type_tag::i32, x_.shape, axis_);
    const tile_shape shape = shape_without_axis();
    operation made;
    made.code = opcode::reduce;
    made.fields = {axis_};
    made.results = {state_.ids.tile(x_.element, shape), state_.ids.tile(type_tag::i32, shape)};
    made.attributes = {identity(state_, x_.element, neutral_in_code()), identity(state_, type_tag::i32, INT32_MAX)};
    made.operands = {x_.number, places.number};
    made.regions = {argmax_region()};
    const value_number first = code_.append(std::move(made));
    state_.set(i_.results[0], code_.reshape({first + 1, type_tag::i32, shape}, kept_shape()));
  }

  region argmax_region() {
    const type_id value = state_.ids.tile(x_.element), place = state_.ids.tile(type_tag::i32);
    const std::vector<value_number> numbers = code_.open_region({value, value, place, place});
    const code_value a = scalar_of(numbers[0], x_.element), b = scalar_of(numbers[1], x_.element);
    const code_value place_a = scalar_of(numbers[2], type_tag::i32), place_b = scalar_of(numbers[3], type_tag::i32);
    const code_value takes_b = second_wins(a, b, place_a, place_b);
    const code_value greatest = code_.select(takes_b, b, a);
    const code_value at = code_.select(takes_b, place_b, place_a);
    code_.terminate(opcode::yield, {greatest.number, at.number});
    return code_.close_region();
  }

  // Greater, or equal and before; a NaN counts as greater than all numbers and equal to NaN.
  code_value second_wins(const code_value& a, const code_value& b, const code_value& place_a,
                         const code_value& place_b) {
    const bool floats = is_float(x_.element);
    const signedness sign = tilewright::is_signed(element_) ? is_signed : is_unsigned;
    code_value is_greater = floats ? code_.compare_floats(greater, ordered, b, a) : code_.compare(greater, sign, b, a);
    code_value is_equal = floats ? code_.compare_floats(equal, ordered, a, b) : code_.compare(equal, sign, a, b);
    if (floats) {
      const code_value a_is_number = code_.compare_floats(equal, ordered, a, a);
      const code_value b_is_nan = code_.compare_floats(not_equal, unordered, b, b);
      const code_value first_nan = code_.both(a_is_number, b_is_nan);
      is_greater = code_.either(is_greater, first_nan);
      const code_value a_is_nan = code_.compare_floats(not_equal, unordered, a, a);
      const code_value both_nan = code_.both(a_is_nan, b_is_nan);
      is_equal = code_.either(is_equal, both_nan);
    }
    const code_value is_before = code_.compare(less, is_signed, place_b, place_a);
    const code_value is_tie = code_.both(is_equal, is_before);
    return code_.either(is_greater, is_tie);
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& i_;
  op combining_;
  std::size_t axis_;
  dtype element_ = dtype::f32;
  std::int64_t extent_ = 1;
  code_value x_;
};

// The assembler's code for an unsigned right factor gives wrong sums for some extents (13.4.92 on an H200: 128x7 by
// 7x130), that for signed ones does not. So such a factor b is b - 128, which is signed, and twice 64.
code_value byte_product(code_builder& code, const code_value& left, bool is_left_signed, const code_value& right,
                        bool is_right_signed, const code_value& sum) {
  const auto product = [&](const code_value& by, const code_value& onto) {
    const std::uint64_t left_sign = is_left_signed ? is_signed : is_unsigned;
    return code.like_op(opcode::mmai, onto, {left.number, by.number, onto.number}, {left_sign, is_signed});
  };
  if (is_right_signed) return product(right, sum);
  const code_value half = code.integer(right.element, 64, right.shape);
  const code_value sign = code.splat(right.element, right.shape, 0x80);
  const code_value below = code.like_op(opcode::xori, right, {right.number, sign.number});
  return product(below, product(half, product(half, sum)));
}

}  // namespace

void emit_along_axis(kernel_state& state, const instruction& i) { along_axis(state, i).emit(); }

void emit_product(kernel_state& state, const instruction& i) {
  constexpr std::uint32_t fast_accumulation = 1;
  const value_type& a = state.type(i.operands[0]);
  const auto column = static_cast<std::size_t>(a.rank) - 1;
  const std::int64_t depth = a.extents[column];
  const code_value left = masked(state, state.get(i.operands[0]), depth, column, 0);
  const code_value right = masked(state, state.get(i.operands[1]), depth, column - 1, 0);
  const code_value sum = state.get(i.operands[2]);
  if (is_float(sum.element)) {
    state.set(i.results[0], state.code.like_op(opcode::mmaf, sum, {left.number, right.number, sum.number}, {},
                                               i.attributes[0] != 0 ? fast_accumulation : 0));
    return;
  }
  const bool is_left_signed = tilewright::is_signed(state.type(i.operands[0]).element);
  const bool is_right_signed = tilewright::is_signed(state.type(i.operands[1]).element);
  state.set(i.results[0], byte_product(state.code, left, is_left_signed, right, is_right_signed, sum));
}

}  // namespace tilewright::compiler::tileir
