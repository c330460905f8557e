// SPDX-License-Identifier: Apache-2.0
// A small tile of an InOut goes through a scan, so that no second load follows a store; no other tile does.
#include <gtest/gtest.h>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "support/program_builder.hpp"

namespace tilewright::test {
namespace {

struct piece_case {
  dtype element;
  std::initializer_list<std::int32_t> extents;
  bool is_stored;
  const char* expected;  // nothing: no scan
};

std::string text_of(const piece_case& tested) {
  program_builder p(1);
  const compiler::value_type tile = type_of(tested.element, tested.extents);
  const int y = p.in_out(tested.element, tested.extents), z = p.out(tested.element, tested.extents);
  p.store(z, p.value(ast::op::load_piece, tile, {}, {y}));
  if (tested.is_stored) p.store(y, p.constant(type_of(tested.element), 1));
  return to_text(compiler::tileir::emit(p.result(), compiler::target::sm_90));
}

TEST(TileirLoadedOnce, SmallTilesThatAreStoredToo) {
  const piece_case cases[] = {
      {dtype::i32, {4, 32}, true, ": tile<4x32x1xi32>"},
      {dtype::f16, {16}, true, ": tile<16x1xi16>"},
      {dtype::f64, {3}, true, ": tile<4x1xi64>"},
      {dtype::boolean, {8}, true, ": tile<8x1xi8>"},
      {dtype::f8e4m3, {8}, true, ": tile<8x1xi8>"},
      {dtype::tf32, {8}, true, ": tile<8x1xi32>"},
      {dtype::f32, {2, 256}, true, ": tile<2x256x1xi32>"},
      {dtype::f32, {4, 256}, true, ""},
      {dtype::i32, {4, 32}, false, ""},
  };
  for (const piece_case& tested : cases) {
    const std::string text = text_of(tested), expected = tested.expected;
    const std::size_t scan = text.find("scan");
    EXPECT_EQ(scan != std::string::npos, !expected.empty()) << text;
    EXPECT_NE(text.find(expected), std::string::npos) << expected << "\n" << text;
  }
}

}  // namespace
}  // namespace tilewright::test
