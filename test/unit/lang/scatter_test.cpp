// SPDX-License-Identifier: Apache-2.0
// Rows that unique indices place: how they are captured.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

TEST(Scatter, IsStoredByTheBlocksOwnIndices) {
  constexpr auto placed = kernel<"placed">(
      [](Scatter<f32, M, N> z, Unique<i32> rows, In<f32, dyn, dyn> x) { z.store(rows, load_like(x, z)); });
  EXPECT_EQ(ast::to_text(*placed.reference().module),
            "kernel 'placed'\n"
            "parameter 0 Scatter f32[M, N]\n"
            "parameter 1 Unique i32[dyn]\n"
            "parameter 2 In f32[dyn, dyn]\n"
            "%0 = block_id axis 0 : index[]\n"
            "%1 = block_id axis 1 : index[]\n"
            "%2 = load %0, %1 parameter 2 : f32[M, N]\n"
            "%3 = block_id axis 0 : index[]\n"
            "%4 = constant -1 : i32[]\n"
            "%5 = load %3, %4 parameter 1 padded : i32[M]\n"
            "%6 = reshape %5 : i32[M, 1]\n"
            "store_rows %2, %6 parameter 0 by 1\n");
  EXPECT_TRUE(ast::verify(*placed.reference().module).empty());
}

TEST(Scatter, IsStoredOnBothBranchesByOneParameter) {
  constexpr auto both = kernel<"both">([](Block b, Scatter<i32, M, 1> z, Unique<i64> rows) {
    if_(
        b.pid(0) == 0, [&] { z.store(rows, b.full<i32>(tile<M, 1>, 1)); },
        [&] { z.store(rows, b.full<i32>(tile<M, 1>, 2)); });
  });
  EXPECT_TRUE(ast::verify(*both.reference().module).empty());
}

// A Unique is read as an In is; a Scatter knows its extents.
TEST(Scatter, AndItsIndicesAreParametersLikeOthers) {
  constexpr auto read = kernel<"read">([](Block b, Scatter<i32, M, N> z, Unique<i32> rows, Out<i32, M> order) {
    require_equal(z.extent(1), 8);
    require_equal(rows.extent(0), order.extent(0));
    order.store(rows.load(tile<M>, b.pid(0)) + rows.gather(b.iota<i32>(tile<M>), where(b.iota<i32>(tile<M>) < 0)));
    z.store(rows, b.full<i32>(tile<M, N>, 1));
  });
  EXPECT_TRUE(ast::verify(*read.reference().module).empty());
  EXPECT_NE(records(read).find("extent parameter 0 axis 1"), std::string::npos);
}

}  // namespace
}  // namespace tilewright::test
