// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/half_byte_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

constexpr std::uint64_t two_to_14_as_half = 0x7400, two_to_22_as_single = 0x4a800000;

code_value moved(code_builder& code, opcode by, const code_value& x, std::uint64_t count,
                 signedness sign = is_unsigned) {
  const code_value bits = code.splat(x.element, x.shape, count);
  return code.like_op(by, x, {x.number, bits.number}, {by == opcode::shli ? 0 : static_cast<std::uint64_t>(sign)});
}

code_value masked(code_builder& code, const code_value& x, std::uint64_t bits) {
  return code.both(x, code.splat(x.element, x.shape, bits));
}

}  // namespace

code_value low_halves(code_builder& code, const code_value& bytes) { return masked(code, bytes, 15); }

code_value whole_integers(code_builder& code, const code_value& codes, dtype element) {
  if (element == dtype::u4) return codes;
  return moved(code, opcode::shri, moved(code, opcode::shli, codes, 4), 4, is_signed);
}

// Their bits are those of an f16 that is 2^14 times too small, also where they are a denormal one.
code_value halves_of_codes(code_builder& code, const code_value& codes) {
  const code_value word = code.resized(codes, type_tag::i16, is_unsigned);
  const code_value sign = moved(code, opcode::shli, masked(code, word, 8), 12);
  const code_value bits = code.either(sign, moved(code, opcode::shli, masked(code, word, 7), 9));
  const code_value small = code.tile_op(opcode::bitcast, type_tag::f16, bits.shape, {bits.number});
  const code_value unit = code.splat(type_tag::f16, small.shape, two_to_14_as_half);
  return code.like_op(opcode::mulf, small, {small.number, unit.number}, {nearest_even});
}

// From 1 on a code is the top of the bits, rounded. Below, the sum with 2^22, whose last place is 0.5, has it in its
// low bits. A NaN is greater than all numbers by its bits.
code_value codes_of_singles(code_builder& code, const code_value& x) {
  const auto number = [&](std::uint64_t n) { return code.splat(type_tag::i32, x.shape, n); };
  const code_value word = code.tile_op(opcode::bitcast, type_tag::i32, x.shape, {x.number});
  const code_value magnitude = masked(code, word, 0x7fffffff);
  const code_value inside = code.lesser(magnitude, number(0x40c00000));  // 6
  const code_value is_odd = masked(code, moved(code, opcode::shri, inside, 22), 1);
  const code_value rounded = code.add(code.add(inside, is_odd), number(0x1fffff));
  const code_value normal = code.subtract(moved(code, opcode::shri, rounded, 22), number(252));
  const code_value small = code.tile_op(opcode::bitcast, type_tag::f32, x.shape, {inside.number});
  const code_value step = code.splat(type_tag::f32, x.shape, two_to_22_as_single);
  const code_value sum = code.like_op(opcode::addf, small, {small.number, step.number}, {nearest_even});
  const code_value sum_bits = code.tile_op(opcode::bitcast, type_tag::i32, x.shape, {sum.number});
  const code_value is_small = code.compare(less, is_signed, inside, number(0x3f800000));
  const code_value size = code.select(is_small, masked(code, sum_bits, 3), normal);
  const code_value is_nan = code.compare(greater, is_signed, magnitude, number(0x7f800000));
  const code_value sign = code.select(is_nan, number(0), masked(code, moved(code, opcode::shri, word, 28), 8));
  return code.resized(code.either(size, sign), type_tag::i8, is_unsigned);
}

}  // namespace tilewright::compiler::tileir
