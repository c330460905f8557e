// SPDX-License-Identifier: Apache-2.0
#include "compiler/cpu/convert_code.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "compiler/cpu/element_code.hpp"
#include "compiler/cpu/jit.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::compiler {
namespace {

using ir::compare;
using ir::module_builder;
using ir::scalar_type;
using ir::value;

bool is_narrow_float(dtype element) { return is_floating(element) && info(element).bits < 32; }
bool is_whole(dtype element) { return !is_floating(element) && element != dtype::boolean; }

// To nearest, ties to even, on the bits; the top half of the word is the result.
value rounded_word(module_builder& code, value word) {
  const ir::type t = code.type_of(word);
  const value is_odd = code.bit_and(code.shift_right_logical(word, code.integer(t, 16)), code.integer(t, 1));
  return code.add(code.add(word, is_odd), code.integer(t, 0x7fff));
}

value as_word(module_builder& code, value v) { return code.bit_cast(v, code.type_of(v).of(scalar_type::i32)); }

value top_half(module_builder& code, value word) {
  const ir::type t = code.type_of(word);
  if (vector_bytes() < 64 || t.lanes < 32) {
    return code.truncate(code.shift_right_logical(word, code.integer(t, 16)), scalar_type::i16);
  }
  // One shuffle of two registers, which LLVM does not see in the shift.
  const value halves = code.bit_cast(word, {scalar_type::i16, 2 * t.lanes});
  std::vector<int> odd;
  for (int n = 0; n < t.lanes; ++n) odd.push_back(2 * n + 1);
  return code.shuffle(halves, halves, odd);
}

// f64 to f32, rounded to odd, so that the next rounding is as good as the only one (semantics::round_to_odd).
value rounded_to_odd(module_builder& code, value v) {
  const ir::type words = code.type_of(v).of(scalar_type::i32);
  const value nearest = code.float_truncate(v, scalar_type::f32);
  const value back = code.float_extend(nearest, scalar_type::f64);
  const value grew = code.compare_floats(compare::greater, code.float_absolute(back), code.float_absolute(v));
  value bits = code.bit_cast(nearest, words);
  const value odd = code.bit_or(code.add(bits, code.sign_extend(grew, scalar_type::i32)), code.integer(words, 1));
  bits = code.select(code.compare_floats(compare::equal, back, v), bits, odd);
  return code.bit_cast(bits, words.of(scalar_type::f32));
}

// Clears the lowest `bits` of lanes outside +-2^exact_bits and sets the lowest that is left when one of them was set:
// rounding to odd, after which a float with two bits less holds the number.
value made_sticky(module_builder& code, bool is_signed, value v, int exact_bits, int bits) {
  const ir::type t = code.type_of(v);
  const std::int64_t unit = std::int64_t{1} << bits, limit = std::int64_t{1} << exact_bits;
  const value cut = code.bit_and(v, code.integer(t, -unit));
  const value inexact = code.compare_integers(compare::not_equal, cut, v);
  const value sticky = code.bit_or(cut, code.select(inexact, code.integer(t, unit), code.integer(t, 0)));
  const value shifted = is_signed ? code.add(v, code.integer(t, limit)) : v;
  const value is_small =
      code.compare_integers(compare::unsigned_less, shifted, code.integer(t, is_signed ? 2 * limit : limit));
  return code.select(is_small, v, sticky);
}

value float_of(module_builder& code, bool is_signed, value v, scalar_type to) {
  const scalar_type own = code.type_of(v).scalar;
  if (ir::bits_of(own) <= 16) {
    v = is_signed ? code.sign_extend(v, scalar_type::i32) : code.zero_extend(v, scalar_type::i32);
    is_signed = true;
  }
  return is_signed ? code.signed_to_float(v, to) : code.unsigned_to_float(v, to);
}

// An integer as f32, from which narrowing rounds as from the integer itself.
value narrowable(module_builder& code, dtype to, bool is_signed, value v) {
  const ir::type t = code.type_of(v);
  if (ir::bits_of(t.scalar) <= 16) return float_of(code, is_signed, v, scalar_type::f32);  // exact
  if (to != dtype::bf16) {  // far less than the limit is infinity, or saturates, and f32 is exact for less
    const value limit = code.integer(t, 1 << 17), least = code.integer(t, -(1 << 17));
    v = is_signed ? code.signed_maximum(code.signed_minimum(v, limit), least) : code.unsigned_minimum(v, limit);
    if (t.scalar == scalar_type::i64) v = code.truncate(v, scalar_type::i32);
    return code.signed_to_float(v, scalar_type::f32);
  }
  if (t.scalar == scalar_type::i32)
    return float_of(code, is_signed, made_sticky(code, is_signed, v, 24, 8), scalar_type::f32);
  const value wide = float_of(code, is_signed, made_sticky(code, is_signed, v, 53, 11), scalar_type::f64);
  return rounded_to_odd(code, wide);
}

// ---- fp8
// Of f16 the exponent is as wide as that of f8e5m2, and a bit wider than that of f8e4m3: there numbers come out 2^8
// times too small. All are exact in f16, denormals too.
value widened_fp8(module_builder& code, dtype element, value v) {
  const ir::type half = code.type_of(v).of(scalar_type::i16);
  const value word = code.zero_extend(v, scalar_type::i16);
  const auto moved = [&](value bits, int count) { return code.shift_left(bits, code.integer(half, count)); };
  const auto as_float = [&](value bits) {
    return code.float_extend(code.bit_cast(bits, half.of(scalar_type::f16)), scalar_type::f32);
  };
  if (element == dtype::f8e5m2) return as_float(moved(word, 8));
  const value magnitude = code.bit_and(word, code.integer(half, 0x7f));
  const value sign = moved(code.bit_and(word, code.integer(half, 0x80)), 8);
  const value number = as_float(code.bit_or(sign, moved(magnitude, 7)));
  const ir::type single = code.type_of(number);
  const value is_nan = code.compare_integers(compare::equal, magnitude, code.integer(half, 0x7f));
  const value nan = code.floating(single, std::numeric_limits<double>::quiet_NaN());
  return code.select(is_nan, nan, code.float_multiply(number, code.floating(single, 256)));
}

// As of f8e5m2, but 2^14 times too small.
value widened_fp4(module_builder& code, value v) {
  const ir::type half = code.type_of(v).of(scalar_type::i16);
  const value word = code.zero_extend(v, scalar_type::i16);
  const auto moved = [&](std::int64_t bits, int count) {
    return code.shift_left(code.bit_and(word, code.integer(half, bits)), code.integer(half, count));
  };
  const value bits = code.bit_or(moved(8, 12), moved(7, 9));
  const value number = code.float_extend(code.bit_cast(bits, half.of(scalar_type::f16)), scalar_type::f32);
  return code.float_multiply(number, code.floating(code.type_of(number), 16384));
}

const detail::float8_format& format_of(dtype element) {
  if (element == dtype::f4e2m1) return detail::e2m1_format;
  return element == dtype::f8e4m3 ? detail::e4m3_format : detail::e5m2_format;
}

// As detail::f8_bits, without branches. A number below the least normal one is added to one in whose last place the
// steps of denormals are: the sum rounds it, and holds the result in its low bits.
value narrowed_fp8(module_builder& code, dtype element, value v) {
  const detail::float8_format& format = format_of(element);
  const int bits_below_sign = info(element).bits - 1;
  const ir::type words = code.type_of(v).of(scalar_type::i32), single = code.type_of(v);
  const auto number = [&](std::int64_t n) { return code.integer(words, n); };
  const value word = as_word(code, v);
  const value magnitude = code.bit_and(word, number(0x7fffffff));
  const std::int64_t greatest = detail::f32_bits_of_f8(format.greatest, format);
  const value inside = code.unsigned_minimum(magnitude, number(greatest));
  const int cut = 23 - format.mantissa;
  const value is_odd = code.bit_and(code.shift_right_logical(inside, number(cut)), number(1));
  const value rounded = code.add(code.add(inside, is_odd), number((1 << (cut - 1)) - 1));
  const std::int64_t moved_by = std::int64_t{format.least + 127 - 1} << format.mantissa;
  const value normal = code.subtract(code.shift_right_logical(rounded, number(cut)), number(moved_by));
  const value step = code.floating(single, std::ldexp(1.0, 23 + format.least - format.mantissa));
  const value sum = code.float_add(code.bit_cast(inside, single), step);
  const value denormal = code.subtract(as_word(code, sum), as_word(code, step));
  const value is_small =
      code.compare_integers(compare::unsigned_less, inside, number(std::int64_t{format.least + 127} << 23));
  const value sign =
      code.bit_and(code.shift_right_logical(word, number(31 - bits_below_sign)), number(1 << bits_below_sign));
  const value bits = code.bit_or(code.select(is_small, denormal, normal), sign);
  const value is_nan = code.compare_floats(compare::unordered, v, v);
  return code.truncate(code.select(is_nan, number((1 << bits_below_sign) - 1), bits), scalar_type::i8);
}

// As the constructor of tf32.
value narrowed_tf32(module_builder& code, value v) {
  const ir::type words = code.type_of(v).of(scalar_type::i32);
  const auto number = [&](std::int64_t n) { return code.integer(words, n); };
  const value word = as_word(code, v);
  const value is_odd = code.bit_and(code.shift_right_logical(word, number(13)), number(1));
  const value rounded = code.add(code.add(word, number(0xfff)), is_odd);
  const value is_nan = code.compare_floats(compare::unordered, v, v);
  const value kept = code.select(is_nan, code.bit_or(word, number(0x400000)), rounded);
  return code.bit_cast(code.bit_and(kept, number(-0x2000)), code.type_of(v));
}

// ---- f8e8m0, as its constructor and its conversion
value widened_scale(module_builder& code, value v) {
  const ir::type words = code.type_of(v).of(scalar_type::i32);
  const auto number = [&](std::int64_t n) { return code.integer(words, n); };
  const value word = code.zero_extend(v, scalar_type::i32);
  const value is_least = code.compare_integers(compare::equal, word, number(0));
  const value is_nan = code.compare_integers(compare::equal, word, number(0xff));
  const value finite = code.select(is_least, number(0x400000), code.shift_left(word, number(23)));
  return code.bit_cast(code.select(is_nan, number(0x7fc00000), finite), words.of(scalar_type::f32));
}

value narrowed_scale(module_builder& code, value v) {
  const ir::type words = code.type_of(v).of(scalar_type::i32);
  const auto number = [&](std::int64_t n) { return code.integer(words, n); };
  const value magnitude = code.bit_and(as_word(code, v), number(0x7fffffff));
  const value up = code.shift_right_logical(code.add(magnitude, number(0x7fffff)), number(23));
  const value is_least = code.compare_integers(compare::unsigned_less, magnitude, number(0x400001));
  const value finite = code.select(is_least, number(0), code.unsigned_minimum(up, number(0xfe)));
  const value is_nan = code.compare_floats(compare::unordered, v, v);
  return code.truncate(code.select(is_nan, number(0xff), finite), scalar_type::i8);
}

value cast_from_bool(module_builder& code, dtype to, value v) {
  const ir::type t{register_type(to), code.type_of(v).lanes};
  if (!is_floating(to)) return code.zero_extend(v, t.scalar);
  const auto constant = [&](double number) {
    return constant_element(code, to, std::bit_cast<std::int64_t>(number), t.lanes);
  };
  return code.select(v, constant(1), constant(0));
}

value cast_to_bool(module_builder& code, dtype from, value v) {
  const ir::type t = code.type_of(v);
  if (is_narrow_float(from)) v = code.bit_and(v, code.integer(t, (1 << (info(from).bits - 1)) - 1));  // -0 is 0, too
  if (ir::is_float(t.scalar)) return code.compare_floats(compare::not_equal, v, code.floating(t, 0));
  return code.compare_integers(compare::not_equal, v, code.integer(t, 0));
}

value cast_integer(module_builder& code, dtype to, dtype from, value v) {
  const scalar_type target = register_type(to);
  if (is_narrow_float(to)) return narrowed(code, to, narrowable(code, to, is_signed(from), v));
  if (is_floating(to)) return float_of(code, is_signed(from), v, target);
  const int have = ir::bits_of(code.type_of(v).scalar), want = ir::bits_of(target);
  if (have == want) return v;
  if (have > want) return code.truncate(v, target);
  return is_signed(from) ? code.sign_extend(v, target) : code.zero_extend(v, target);
}

value cast_float(module_builder& code, dtype to, value v) {
  const bool is_double = code.type_of(v).scalar == scalar_type::f64;
  if (is_whole(to)) {
    const scalar_type target = register_type(to);
    return is_signed(to) ? code.float_to_signed_saturating(v, target) : code.float_to_unsigned_saturating(v, target);
  }
  if (is_narrow_float(to)) return narrowed(code, to, is_double ? rounded_to_odd(code, v) : v);
  if (to == dtype::tf32) return narrowed_tf32(code, v);
  if (to == dtype::f32) return is_double ? code.float_truncate(v, scalar_type::f32) : v;
  return is_double ? v : code.float_extend(v, scalar_type::f64);
}

// ---- Half bytes, which are below 16
bool is_small_integer(dtype element) { return is_half_byte(element) && !is_floating(element); }

value low_half(module_builder& code, value v) { return code.bit_and(v, code.integer(code.type_of(v), 15)); }

// In all bits of the register.
value whole_integer(module_builder& code, dtype element, value v) {
  if (element == dtype::u4) return v;
  const value four = code.integer(code.type_of(v), 4);
  return code.shift_right_arithmetic(code.shift_left(v, four), four);
}

}  // namespace

value widened(module_builder& code, dtype element, value v) {
  if (is_fp8(element)) return widened_fp8(code, element, v);
  if (element == dtype::f8e8m0) return widened_scale(code, v);
  if (element == dtype::f4e2m1) return widened_fp4(code, v);
  const ir::type t = code.type_of(v);
  if (element == dtype::f16) return code.float_extend(code.bit_cast(v, t.of(scalar_type::f16)), scalar_type::f32);
  if (element != dtype::bf16) return v;
  const ir::type words = t.of(scalar_type::i32);
  return code.bit_cast(code.shift_left(code.zero_extend(v, words.scalar), code.integer(words, 16)),
                       t.of(scalar_type::f32));
}

value narrowed(module_builder& code, dtype element, value v) {
  if (element != dtype::bf16) return narrowed_result(code, element, v);
  const value word = rounded_word(code, as_word(code, v));
  // A carry would make infinity or -0 of some NaNs.
  const value is_nan = code.compare_floats(compare::unordered, v, v);
  return top_half(code, code.select(is_nan, code.integer(code.type_of(word), 0x7fc00000), word));
}

value narrowed_result(module_builder& code, dtype element, value v) {
  if (is_fp8(element) || element == dtype::f4e2m1) return narrowed_fp8(code, element, v);
  if (element == dtype::f8e8m0) return narrowed_scale(code, v);
  if (element == dtype::bf16) return top_half(code, rounded_word(code, as_word(code, v)));
  if (element != dtype::f16) return v;
  return code.bit_cast(code.float_truncate(v, scalar_type::f16), code.type_of(v).of(scalar_type::i16));
}

value narrowed_exactly(module_builder& code, dtype element, value v) {
  return element == dtype::bf16 ? top_half(code, as_word(code, v)) : narrowed_result(code, element, v);
}

value cast_element(module_builder& code, dtype to, dtype from, value v) {
  if (to == from) return v;
  if (to == dtype::boolean) return cast_to_bool(code, from, v);
  if (from == dtype::boolean) return cast_from_bool(code, to, v);
  if (is_small_integer(from)) {
    return cast_element(code, to, from == dtype::i4 ? dtype::i8 : dtype::u8, whole_integer(code, from, v));
  }
  if (is_small_integer(to)) return low_half(code, cast_integer(code, dtype::u8, from, v));
  if (is_whole(from)) return cast_integer(code, to, from, v);
  return cast_float(code, to, widened(code, from, v));
}

value bitcast_element(module_builder& code, dtype to, dtype from, value v) {
  require_internal(info(to).size_bytes == info(from).size_bytes, "a bitcast between elements of other sizes");
  if (to == from) return v;
  if (to == dtype::boolean) return cast_to_bool(code, dtype::u8, v);  // any bit, that of a sign too
  if (is_half_byte(to)) return low_half(code, v);
  if (from == dtype::boolean) return code.zero_extend(v, register_type(to));
  const ir::type t = code.type_of(v).of(register_type(to));
  return code.type_of(v) == t ? v : code.bit_cast(v, t);
}

}  // namespace tilewright::compiler
