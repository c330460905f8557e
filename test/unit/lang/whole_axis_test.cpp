// SPDX-License-Identifier: Apache-2.0
// Outputs with whole axes: how they are captured.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

TEST(WholeAxis, IsStoredAtTheVariableOfItsLoop) {
  constexpr auto doubled = kernel<"doubled">([](Block b, Out<f32, M, dyn> z, In<f32, dyn, dyn> x) {
    auto zt = z.partition(tile<M, N>);
    for (auto k : range(zt.tiles(1))) zt.store(0, k, x.load(tile<M, N>, b.pid(0), k) * 2.0f);
  });
  EXPECT_EQ(records(doubled),
            "%0 = tiles parameter 0 axis 1 in N : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant 1 : index[]\n"
            "%3 = for_begin %1, %0, %2 : index[]\n"
            "  %4 = block_id axis 0 : index[]\n"
            "  %5 = load %4, %3 parameter 1 : f32[M, N]\n"
            "  %6 = constant 2 : f32[]\n"
            "  %7 = multiply %5, %6 : f32[M, N]\n"
            "  store_tile %7, %3 parameter 0\n"
            "for_end\n");
}

TEST(WholeAxis, HasOneTileOnAxesThatAreNotDyn) {
  constexpr auto k = kernel<"k">([](Block b, Out<i32, dyn, M, dyn> z) {
    auto zt = z.partition(tile<4, M, N>);
    auto v = b.full<i32>(tile<4, M, N>, 3);
    for ([[maybe_unused]] auto one : range(zt.tiles(1))) v += 1;
    for (auto j : range(zt.tiles(2))) {
      for (auto i : range(0, zt.tiles(0))) zt.store(i, 0, j, v);
    }
  });
  const std::string text = records(k);
  EXPECT_NE(text.find("%0 = constant 3 : i32[4, M, N]\n%1 = constant 1 : index[]\n"), std::string::npos) << text;
  EXPECT_NE(text.find("tiles parameter 0 axis 2 in N"), std::string::npos) << text;
  EXPECT_NE(text.find("tiles parameter 0 axis 0 in 4"), std::string::npos) << text;
  EXPECT_NE(ast::to_text(*k.reference().module).find("parameter 0 Out i32[dyn, M, dyn]\n"), std::string::npos);
  EXPECT_TRUE(ast::verify(*k.reference().module).empty());
}

}  // namespace
}  // namespace tilewright::test
