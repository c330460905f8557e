// SPDX-License-Identifier: Apache-2.0
// Element-wise operations. Where Tile IR leaves a result open that the language defines, a select gives it.
#include <bit>
#include <numbers>

#include "compiler/rounded_semantics.hpp"
#include "compiler/tileir/fault_code.hpp"
#include "compiler/tileir/half_byte_code.hpp"
#include "compiler/tileir/kernel_state.hpp"
#include "compiler/tileir/scale_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

using ast::op;

signedness sign_of(dtype element) {
  return tilewright::is_signed(element) ? signedness::is_signed : signedness::is_unsigned;
}

// One instruction whose operands are at hand: of one shape and, but for casts, of one element.
class element_op {
 public:
  element_op(kernel_state& state, const instruction& i)
      : state_(state), code_(state.code), i_(i), from_(state.type(i.operands.back()).element) {
    to_ = state.type(i.results[0]).element;
    const bool is_index = from_ == dtype::index || to_ == dtype::index;
    in_code_ = element_in_code(from_, is_index && wide());
    const tile_shape shape = state.shape(i.results[0]);
    for (std::size_t n = 0; n < i.operands.size(); ++n) {
      const bool is_condition = i.op == op::select && n == 0;
      operands_.push_back(state.get(i.operands[n], is_condition ? type_tag::i1 : in_code_, shape));
    }
  }

  void emit() { state_.set(i_.results[0], result()); }

 private:
  const code_value& a() const { return operands_[0]; }
  const code_value& b() const { return operands_[1]; }
  bool has_floats() const { return is_floating(from_); }
  signedness sign() const { return sign_of(from_); }

  // An index op runs in 64 bits as soon as one of its values needs them.
  bool wide() const {
    if (to_ == dtype::index && state_.is_wide(i_.results[0])) return true;
    for (const value_id id : i_.operands) {
      if (state_.type(id).element == dtype::index && state_.is_wide(id)) return true;
    }
    return false;
  }

  code_value unary(opcode code, std::initializer_list<std::uint64_t> fields = {}, std::uint32_t flags = 0) {
    return code_.like_op(code, a(), {a().number}, fields, flags);
  }
  code_value binary(opcode code, std::initializer_list<std::uint64_t> fields = {}, std::uint32_t flags = 0) {
    return code_.like_op(code, a(), {a().number, b().number}, fields, flags);
  }
  code_value number(std::uint64_t bits) { return code_.splat(a().element, a().shape, bits); }
  code_value arithmetic(opcode floats, opcode integers) {
    return has_floats() ? binary(floats, {how()}, stated_flush()) : binary(integers, {0});
  }

  // Both tables count in one order, but for what is a flag here.
  bool is_flushed() const { return rounding_of(i_) == ast::rounding::flushed; }
  rounding how() const { return is_flushed() ? nearest_even : static_cast<rounding>(rounding_of(i_)); }
  std::uint32_t stated_flush() const { return is_flushed() ? flush_to_zero : 0; }

  // ---- Fast math, of f32 alone
  bool is_fast() const { return state_.source.schedule.fast_math && from_ == dtype::f32 && is_usual(); }
  bool is_usual() const { return rounding_of(i_) == ast::rounding::nearest_even; }
  std::uint32_t flush() const { return is_fast() ? flush_to_zero : stated_flush(); }
  // NaN wins. What makes denormals 0 is the second flag here.
  code_value extreme(opcode code) {
    constexpr std::uint32_t propagate_nan = 1;
    return binary(code, {}, propagate_nan | stated_flush() << 1);
  }
  code_value divided() { return binary(opcode::divf, {is_fast() ? approximate : how()}, flush()); }
  code_value exponential() {
    if (!is_fast()) return unary(opcode::exp, {full});
    const code_value factor = number(std::bit_cast<std::uint32_t>(std::numbers::log2e_v<float>));
    const code_value power = code_.like_op(opcode::mulf, a(), {a().number, factor.number}, {nearest_even});
    return code_.like_op(opcode::exp2, power, {power.number}, {}, flush_to_zero);
  }

  // clang-format off
  code_value result() {
    switch (i_.op) {
      case op::negate: return has_floats() ? unary(opcode::negf) : unary(opcode::negi, {0});
      case op::absolute: return absolute();
      case op::bit_not: return code_.like_op(opcode::xori, a(), {a().number, number(~std::uint64_t{0}).number});
      case op::exp: return exponential();
      case op::exp2: return unary(opcode::exp2, {}, flush());
      case op::log: return unary(opcode::log);
      case op::log2: return unary(opcode::log2);
      case op::sqrt: return unary(opcode::sqrt, {how()}, stated_flush());
      case op::rsqrt: return unary(opcode::rsqrt, {}, stated_flush());
      case op::tanh: return unary(opcode::tanh, {how() == approximate ? approximate : full});
      case op::sin: return unary(opcode::sin);
      case op::cos: return unary(opcode::cos);
      case op::tan: return unary(opcode::tan);
      case op::sinh: return unary(opcode::sinh);
      case op::cosh: return unary(opcode::cosh);
      case op::floor: return unary(opcode::floor);
      case op::ceil: return unary(opcode::ceil);
      case op::add: return arithmetic(opcode::addf, opcode::addi);
      case op::subtract: return arithmetic(opcode::subf, opcode::subi);
      case op::multiply: return arithmetic(opcode::mulf, opcode::muli);
      case op::divide: return has_floats() ? divided() : quotient(toward_zero);
      case op::remainder: return remainder();
      case op::floor_div: return quotient(sign() == signedness::is_signed ? down : toward_zero);
      case op::floor_mod: return floor_mod();
      case op::minimum: return has_floats() ? extreme(opcode::minf) : binary(opcode::mini, {sign()});
      case op::maximum: return has_floats() ? extreme(opcode::maxf) : binary(opcode::maxi, {sign()});
      case op::pow: return binary(opcode::fpowf);
      case op::atan2: return angle();
      case op::multiply_high: return multiply_high();
      case op::bit_and: return binary(opcode::andi);
      case op::bit_or: return binary(opcode::ori);
      case op::bit_xor: return binary(opcode::xori);
      case op::shift_left: return shift_left();
      case op::shift_right: return shift_right();
      case op::less: return comparison(less);
      case op::less_equal: return comparison(less_equal);
      case op::greater: return comparison(greater);
      case op::greater_equal: return comparison(greater_equal);
      case op::equal: return comparison(equal);
      case op::not_equal: return comparison(not_equal);
      case op::select: return code_.select(operands_[0], operands_[1], operands_[2]);
      case op::fma: return fused();
      case op::cast: return cast();
      default: return bitcast();
    }
  }
  // clang-format on

  code_value absolute() {
    if (has_floats()) return unary(opcode::absf);
    return sign() == signedness::is_signed ? unary(opcode::absi) : a();
  }

  // NVIDIA's assembler (13.4.92) folds the angle of the point (0, 0) to NaN, so that (1, 0) or (-1, 0) is asked for.
  code_value angle() {
    const type_tag element = a().element;
    const type_tag word = element == type_tag::f64   ? type_tag::i64
                          : element == type_tag::f32 ? type_tag::i32
                                                     : type_tag::i16;
    const auto bits = [&](const code_value& x) { return code_.tile_op(opcode::bitcast, word, x.shape, {x.number}); };
    const code_value one = code_.splat(word, a().shape, constant_bits(std::bit_cast<std::int64_t>(1.0), from_));
    const std::uint64_t sign = std::uint64_t{1} << (bits_of(element) - 1);
    const code_value magnitude = code_.splat(word, a().shape, sign - 1), zero = code_.splat(word, a().shape, 0);
    const code_value either = code_.both(code_.either(bits(a()), bits(b())), magnitude);
    const code_value is_origin = code_.compare(equal, signedness::is_unsigned, either, zero);
    const code_value unit = code_.either(bits(b()), one);
    const code_value on_axis = code_.tile_op(opcode::bitcast, element, a().shape, {unit.number});
    operands_[1] = code_.select(is_origin, on_axis, b());
    return binary(opcode::atan2);
  }

  // Narrow floats are computed in f32, as everywhere.
  code_value fused() {
    const type_tag narrow = a().element;
    const bool is_narrow = narrow == type_tag::f16 || narrow == type_tag::bf16;
    for (code_value& x : operands_) {
      if (is_narrow) x = code_.tile_op(opcode::ftof, type_tag::f32, x.shape, {x.number}, {nearest_even});
    }
    const code_value wide =
        code_.like_op(opcode::fma, a(), {a().number, b().number, operands_[2].number}, {how()}, stated_flush());
    return is_narrow ? code_.tile_op(opcode::ftof, narrow, wide.shape, {wide.number}, {nearest_even}) : wide;
  }

  code_value comparison(comparison_predicate predicate) {
    if (!has_floats()) return code_.compare(predicate, sign(), a(), b());
    return code_.compare_floats(predicate, predicate == not_equal ? unordered : ordered, a(), b());
  }

  // ---- Division
  // A divisor of zero counts as 1. Lanes that rounding added may hold one, also where no check lets one through.
  code_value divisor() {
    const value_id id = i_.operands[1];
    if (!i_.residual_checks.empty()) check_divisor(state_, i_);
    if (state_.is_constant(id)) {
      return state_.constants[static_cast<std::size_t>(id)]->attributes[0] != 0 ? b() : number(1);
    }
    const code_value zero = number(0);
    const code_value is_zero = code_.compare(equal, signedness::is_unsigned, b(), zero);
    const code_value one = number(1);
    return code_.select(is_zero, one, b());
  }
  code_value quotient(rounding toward) {
    const code_value by = divisor();
    return code_.like_op(opcode::divi, a(), {a().number, by.number}, {sign(), toward});
  }
  code_value remainder_by(const code_value& by) {
    return code_.like_op(opcode::remi, a(), {a().number, by.number}, {sign()});
  }
  code_value remainder() { return remainder_by(divisor()); }
  // A remainder of the other sign than the divisor's is one divisor too low.
  code_value floor_mod() {
    const code_value by = divisor();
    const code_value rest = remainder_by(by);
    if (sign() == signedness::is_unsigned) return rest;
    const code_value zero = number(0);
    const code_value signs = code_.like_op(opcode::xori, rest, {rest.number, by.number});
    const code_value differ = code_.compare(less, signedness::is_signed, signs, zero);
    const code_value is_left = code_.compare(not_equal, signedness::is_signed, rest, zero);
    const code_value moved = code_.add(rest, by);
    return code_.select(code_.both(differ, is_left), moved, rest);
  }

  // ---- The upper half of a product. Tile IR has the unsigned one, whose narrow forms are not relied on.
  code_value multiply_high() {
    if (width() < 32) return narrow_multiply_high();
    const code_value high = binary(opcode::mulhii);
    if (sign() == signedness::is_unsigned) return high;
    const code_value without_b = code_.like_op(opcode::subi, high, {high.number, where_negative(a(), b()).number}, {0});
    return code_.like_op(opcode::subi, high, {without_b.number, where_negative(b(), a()).number}, {0});
  }
  // A factor read as unsigned is 2^width too great where it is negative.
  code_value where_negative(const code_value& factor, const code_value& other) {
    const code_value zero = number(0);
    const code_value is_negative = code_.compare(less, signedness::is_signed, factor, zero);
    return code_.select(is_negative, other, zero);
  }
  code_value narrow_multiply_high() {
    const type_tag narrow = a().element;
    const code_value x = code_.resized(a(), type_tag::i32, sign()), y = code_.resized(b(), type_tag::i32, sign());
    const code_value product = code_.like_op(opcode::muli, x, {x.number, y.number}, {0});
    const code_value count = code_.splat(type_tag::i32, x.shape, width());
    const code_value high = code_.like_op(opcode::shri, x, {product.number, count.number}, {sign()});
    return code_.resized(high, narrow, sign());
  }

  // ---- Shifts: past the width, and by negative counts, as by the width
  std::uint64_t width() const { return static_cast<std::uint64_t>(bits_of(a().element)); }
  bool is_count_known() const {
    const value_id id = i_.operands[1];
    if (!state_.is_constant(id)) return false;
    const std::int64_t count = state_.constants[static_cast<std::size_t>(id)]->attributes[0];
    return count >= 0 && count < static_cast<std::int64_t>(width());
  }
  code_value shift_left() {
    if (is_count_known()) return binary(opcode::shli, {0});
    const code_value moved = binary(opcode::shli, {0});
    return within_width(moved);
  }
  code_value shift_right() {
    if (is_count_known()) return binary(opcode::shri, {sign()});
    if (sign() == signedness::is_unsigned) return within_width(binary(opcode::shri, {sign()}));
    const code_value last = number(width() - 1);
    const code_value count = code_.like_op(opcode::mini, b(), {b().number, last.number}, {signedness::is_unsigned});
    return code_.like_op(opcode::shri, a(), {a().number, count.number}, {sign()});
  }
  code_value within_width(const code_value& moved) {
    const code_value limit = number(width());
    const code_value is_inside = code_.compare(less, signedness::is_unsigned, b(), limit);
    const code_value zero = number(0);
    return code_.select(is_inside, moved, zero);
  }

  // ---- Conversions
  type_tag target() const { return element_in_code(to_, to_ == dtype::index && state_.is_wide(i_.results[0])); }

  code_value cast() {
    const type_tag to = target();
    if (from_ == to_) return a();
    if (from_ == dtype::f8e8m0) return single_of_scale(code_, a());
    if (to_ == dtype::f8e8m0) return scale_of_single(code_, a());
    if (is_half_byte(from_)) widen();
    if (to_ == dtype::f4e2m1) return codes_of_singles(code_, single());
    if (is_half_byte(to_)) return low_halves(code_, code_.resized(a(), to, sign()));
    if (from_ == to_) return a();
    if (is_only_factor(from_)) {  // exact in f32
      operands_[0] = converted(type_tag::f32, a());
      from_ = dtype::f32;
    }
    if (is_only_factor(to_)) return converted(to, single());
    if (to_ == dtype::boolean) return to_bool();
    if (has_floats() && is_floating(to_)) return converted(to, a());
    if (has_floats()) return code_.tile_op(opcode::ftoi, to, a().shape, {a().number}, {sign_of(to_), to_integer}, 1);
    if (is_floating(to_)) return code_.tile_op(opcode::itof, to, a().shape, {a().number}, {sign(), nearest_even});
    return code_.resized(a(), to, sign());
  }
  // A half byte to a number that has all of its values.
  void widen() {
    operands_[0] = from_ == dtype::f4e2m1 ? halves_of_codes(code_, a()) : whole_integers(code_, a(), from_);
    from_ = from_ == dtype::f4e2m1 ? dtype::f16 : from_ == dtype::i4 ? dtype::i8 : dtype::u8;
  }
  code_value converted(type_tag to, const code_value& x) { return code_.converted(x, to); }
  code_value of_integer(const code_value& x) {
    return code_.tile_op(opcode::itof, type_tag::f32, x.shape, {x.number}, {sign(), nearest_even});
  }
  // In f32, from which rounding to fp8 (tf32 is made of f32 alone) gives what rounding the number itself would.
  code_value single() {
    if (has_floats()) return from_ == dtype::f64 ? rounded_to_odd() : converted(type_tag::f32, a());
    if (width() < 32) return of_integer(a());
    const code_value limit = number(1 << 17);  // past the greatest number of both, and exact in f32
    const code_value below = code_.like_op(opcode::mini, a(), {a().number, limit.number}, {sign()});
    if (sign() == signedness::is_unsigned) return of_integer(below);
    const code_value least = number(~std::uint64_t{0} << 17);
    return of_integer(code_.like_op(opcode::maxi, below, {below.number, least.number}, {sign()}));
  }
  // semantics::round_to_odd. Of a NaN nothing is inexact.
  code_value rounded_to_odd() {
    const code_value nearest = converted(type_tag::f32, a()), back = converted(type_tag::f64, nearest);
    const code_value is_inexact = code_.compare_floats(not_equal, ordered, back, a());
    const code_value size = unary(opcode::absf), rounded_size = code_.like_op(opcode::absf, back, {back.number});
    const code_value grew = code_.compare_floats(greater, ordered, rounded_size, size);
    const code_value bits = code_.tile_op(opcode::bitcast, type_tag::i32, nearest.shape, {nearest.number});
    const code_value one = code_.splat(type_tag::i32, bits.shape, 1);
    const code_value down = code_.select(grew, code_.subtract(bits, one), bits);
    const code_value odd = code_.either(down, one);
    const code_value as_float = code_.tile_op(opcode::bitcast, type_tag::f32, odd.shape, {odd.number});
    return code_.select(is_inexact, as_float, nearest);
  }
  code_value to_bool() {
    if (from_ == dtype::boolean) return a();
    if (has_floats() && info(from_).size_bytes == 2) {
      // By its bits: NVIDIA's assembler (13.4.92) rejects its own comparison of a bf16 whose bits were an f16's, or the
      // other way round.
      const code_value bits = code_.tile_op(opcode::bitcast, type_tag::i16, a().shape, {a().number});
      operands_[0] = code_.both(bits, code_.splat(type_tag::i16, bits.shape, 0x7fff));
      from_ = dtype::u16;
    }
    const code_value zero = number(0);
    return has_floats() ? code_.compare_floats(not_equal, unordered, a(), zero)
                        : code_.compare(not_equal, signedness::is_unsigned, a(), zero);
  }

  code_value bitcast() {
    if (is_half_byte(to_)) return low_halves(code_, a());
    if (from_ == dtype::f8e8m0 || is_half_byte(from_)) from_ = dtype::u8;  // which it is in code
    if (to_ == dtype::boolean && is_fp8(from_)) {                          // any bit, that of a sign too
      operands_[0] = code_.tile_op(opcode::bitcast, type_tag::i8, a().shape, {a().number});
      from_ = dtype::u8;
    }
    if (to_ == dtype::boolean) return to_bool();
    code_value whole = a();
    if (from_ == dtype::boolean) whole = code_.resized(a(), type_tag::i8, signedness::is_unsigned);
    if (from_ == dtype::index) whole = code_.resized(a(), type_tag::i64, signedness::is_signed);
    const type_tag to = element_in_code(to_, true);
    return whole.element == to ? whole : code_.tile_op(opcode::bitcast, to, whole.shape, {whole.number});
  }

  kernel_state& state_;
  code_builder& code_;
  const instruction& i_;
  dtype from_, to_ = dtype::f32;
  type_tag in_code_ = type_tag::i32;
  std::vector<code_value> operands_;
};

}  // namespace

void emit_element_wise(kernel_state& state, const instruction& i) {
  if (state.deferred_at(i.results[0]) != nullptr || emit_contracted(state, i)) return;
  element_op(state, i).emit();
}

}  // namespace tilewright::compiler::tileir
