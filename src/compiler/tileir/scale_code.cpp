// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/scale_code.hpp"

namespace tilewright::compiler::tileir {
namespace {

constexpr std::uint64_t least_single = 0x400000, nan_single = 0x7fc00000, greatest_scale = 0xfe, nan_scale = 0xff;

}  // namespace

code_value scale_of_single(code_builder& code, const code_value& x) {
  const auto number = [&](std::uint64_t n) { return code.splat(type_tag::i32, x.shape, n); };
  const code_value word = code.tile_op(opcode::bitcast, type_tag::i32, x.shape, {x.number});
  const code_value magnitude = code.both(word, number(0x7fffffff));
  const code_value sum = code.add(magnitude, number(0x7fffff)), mantissa = number(23);
  const code_value up = code.like_op(opcode::shri, sum, {sum.number, mantissa.number}, {is_unsigned});
  const code_value inside = code.lesser(up, number(greatest_scale));
  const code_value is_least = code.compare(less_equal, is_unsigned, magnitude, number(least_single));
  const code_value scale = code.select(is_least, number(0), inside);
  const code_value is_nan = code.compare(greater, is_unsigned, magnitude, number(0x7f800000));
  return code.resized(code.select(is_nan, number(nan_scale), scale), type_tag::i8, is_unsigned);
}

code_value single_of_scale(code_builder& code, const code_value& bytes) {
  const auto number = [&](std::uint64_t n) { return code.splat(type_tag::i32, bytes.shape, n); };
  const code_value word = code.resized(bytes, type_tag::i32, is_unsigned), mantissa = number(23);
  const code_value moved = code.like_op(opcode::shli, word, {word.number, mantissa.number}, {0});
  const code_value is_least = code.compare(equal, is_unsigned, word, number(0));
  const code_value is_nan = code.compare(equal, is_unsigned, word, number(nan_scale));
  const code_value finite = code.select(is_least, number(least_single), moved);
  const code_value bits = code.select(is_nan, number(nan_single), finite);
  return code.tile_op(opcode::bitcast, type_tag::f32, bits.shape, {bits.number});
}

}  // namespace tilewright::compiler::tileir
