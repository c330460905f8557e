// SPDX-License-Identifier: Apache-2.0
// A table is one dense constant of Tile IR, in the order of its shape rounded up to powers of two.
#include <gtest/gtest.h>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "support/program_builder.hpp"

namespace tilewright::test {
namespace {

using compiler::value_type;

struct table_case {
  dtype element;
  std::initializer_list<std::int32_t> extents;
  std::vector<std::int64_t> words;
  const char* expected;
};

std::int64_t word_of(double value) { return __builtin_bit_cast(std::int64_t, value); }

std::string text_of(const table_case& tested) {
  program_builder p(1);
  const value_type tile = type_of(tested.element, tested.extents);
  p.store(p.out(tested.element, tested.extents), p.value(ast::op::table, tile, {}, tested.words));
  return to_text(compiler::tileir::emit(p.result(), compiler::target::sm_90));
}

TEST(TileirTable, IsADenseConstantOfTheRoundedShape) {
  const table_case cases[] = {
      {dtype::i8, {3}, {1, -2, 3}, "constant 01fe0300 : tile<4xi8>"},
      {dtype::u16, {4}, {1, 65535, 256, 0}, "constant 0100ffff00010000 : tile<4xi16>"},
      {dtype::i64, {1}, {-1}, "constant ffffffffffffffff : tile<1xi64>"},
      {dtype::i8, {2, 3}, {1, 2, 3, 4, 5, 6}, "constant 0102030004050600 : tile<2x4xi8>"},
      {dtype::i8, {3, 1, 2}, {1, 2, 3, 4, 5, 6}, "constant 0102030405060000 : tile<4x1x2xi8>"},
      {dtype::boolean, {9}, {1, 0, 0, 1, 0, 0, 0, 1, 1}, "constant 8901 : tile<16xi1>"},
      {dtype::f16, {2}, {word_of(-0.0), word_of(1.5)}, "constant 0080003e : tile<2xf16>"},
      {dtype::f8e4m3, {2}, {word_of(1), word_of(-2)}, "constant 38c0 : tile<2xf8E4M3FN>"},
      {dtype::tf32, {2}, {word_of(1), word_of(-2)}, "constant 0000803f000000c0 : tile<2xf32>"},
  };
  for (const table_case& tested : cases) {
    const std::string text = text_of(tested);
    EXPECT_NE(text.find(tested.expected), std::string::npos) << tested.expected << "\n" << text;
  }
}

}  // namespace
}  // namespace tilewright::test
