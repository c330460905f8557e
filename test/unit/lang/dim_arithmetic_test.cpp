// SPDX-License-Identifier: Apache-2.0
// Expressions over Dims as extents: what types they make, and what a module says of them.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

TEST(DimArithmetic, MakesTheExtentsOfACat) {
  constexpr auto cats = kernel<"cats">(
      [](Out<f32, 2 * BM, BN> y, Out<f32, BM + 8> z, Out<f32, BK> w, In<f32, dyn, dyn> a, In<f32, dyn> c) {
        auto v = a.load(tile<BM, BN>, 0, 0);
        y.store(cat<0>(v, v));
        auto u = c.load(tile<BM>, 0);
        z.store(cat<0>(u, c.load(tile<8>, 0)));
        w.store(cat<0>(u, u, tile<BK>));
      });
  EXPECT_EQ(records(cats),
            "%0 = constant 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 3 : f32[BM, BN]\n"
            "%3 = cat %2, %2 axis 0 : f32[2*BM, BN]\n"
            "store %3 parameter 0\n"
            "%5 = constant 0 : index[]\n"
            "%6 = load %5 parameter 4 : f32[BM]\n"
            "%7 = constant 0 : index[]\n"
            "%8 = load %7 parameter 4 : f32[8]\n"
            "%9 = cat %6, %8 axis 0 : f32[BM+8]\n"
            "store %9 parameter 1\n"
            "%11 = cat %6, %6 axis 0 : f32[BK]\n"
            "store %11 parameter 2\n");
}

TEST(DimArithmetic, StandsWhereverADimDoes) {
  constexpr auto uses = kernel<"uses">([](Block b, Out<i32, BM, ceil_div(BN, 4)> z, In<i32, 2 * BM, BN - 1> x) {
    auto xt = x.partition(tile<BM, BN / 2>);
    auto total = b.zeros<i32>(tile<BM, ceil_div(BN, 4)>);
    for (auto k : b.range(b.size(tile<BM * BN>))) {
      auto part = xt.load(0, k, pad(0));
      total += broadcast(reduce_sum<1>(part), tile<BM, ceil_div(BN, 4)>);
    }
    z.store(total);
  });
  EXPECT_EQ(records(uses),
            "%0 = constant 0 : i32[BM, ceil_div(BN,4)]\n"
            "%1 = dim_value BM*BN : index[]\n"
            "%2 = constant 0 : index[]\n"
            "%3 = constant 1 : index[]\n"
            "%4 = for_begin %2, %1, %3 : index[]\n"
            "  %5 = constant 0 : index[]\n"
            "  %6 = constant 0 : i32[]\n"
            "  %7 = load %5, %4, %6 parameter 1 padded : i32[BM, BN/2]\n"
            "  %8 = reduce_sum %7 axis 1 : i32[BM, 1]\n"
            "  %9 = broadcast %8 : i32[BM, ceil_div(BN,4)]\n"
            "  %10 = add %0, %9 : i32[BM, ceil_div(BN,4)]\n"
            "  assign %0, %10\n"
            "for_end\n"
            "store %0 parameter 0\n");
}

// Reshapes whose elements are the same number for all values are told from those that are for no value.
template <Dim... From, Dim... To>
constexpr bool reshapes(extent_list<From...> from, extent_list<To...> to) {
  return lang::same_element_count(from, to);
}
static_assert(reshapes(tile<BM * BN>, tile<BM, BN>) && reshapes(tile<BM, BN>, tile<BN * BM>));
static_assert(reshapes(tile<2 * BM, BN>, tile<BM, 2, BN>) && reshapes(tile<2 * BM, 4 * BN>, tile<8, BM * BN>));
static_assert(reshapes(tile<2 * (BM / 2), BN>, tile<BM / 2, 2 * BN>));
static_assert(reshapes(tile<BM, BN>, tile<BM, 2, BN / 2>) && reshapes(tile<BM + BN>, tile<BK>));  // bind compares
static_assert(!reshapes(tile<2 * BM, BN>, tile<BM, BN>) && !reshapes(tile<BM * BN>, tile<BM>));
static_assert(!reshapes(tile<2 * BM>, tile<3 * BM>) && !reshapes(tile<BM * BM>, tile<BM>));

// A module has the Dims of an expression before it, each once.
template <class Kernel>
std::string symbols(const Kernel& kernel) {
  const ast::module_view& module = *kernel.reference().module;
  std::string names;
  for (int i = 0; i < module.symbol_count; ++i) names.append(module.symbols[i].name).append(" ");
  return names;
}

TEST(DimArithmetic, BringsItsDimsIntoTheModule) {
  constexpr auto k = kernel<"k">([](Block b, Out<f32, ceil_div(BN, 2 * BM) * BM> z, Out<f32, BN> y) {
    z.store(b.full<f32>(tile<BM * ceil_div(BN, 2 * BM)>, 1));
    y.store(b.full<f32>(tile<BN>, 1));
  });
  EXPECT_EQ(symbols(k), "BM BN BM*ceil_div(BN,2*BM) ");
  const auto with = k.with(BM = 4, dim<BN>(8)).reference().with;
  EXPECT_EQ(with.count, 2);
}

// Sixteen Dims, however many expressions over them.
constexpr Dim D[] = {"D0", "D1", "D2", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12", "D13", "D14"};

TEST(DimArithmetic, LeavesRoomForAllDims) {
  constexpr auto many =
      kernel<"many">([](Block b, Out<f32, 2 * D[0], D[0] + 1> z, In<f32, D[1], D[2], D[3], D[4]>,
                        In<f32, D[5], D[6], D[7], D[8]>, In<f32, D[9], D[10], D[11], D[12]>,
                        In<f32, D[13], D[14], BM>) { z.store(b.full<f32>(tile<2 * D[0], 1 + D[0]>, 1)); });
  EXPECT_EQ(many.module().symbol_count, 18);
}

TEST(DimArithmetic, IsPartOfTheKindOfAKernelTemplate) {
  constexpr auto doubled = []<Dim Rows>(extent_list<Rows>) {
    return kernel<"doubled">([](Block b, Out<f32, 2 * Rows> z) { z.store(b.full<f32>(tile<Rows * 2>, 1)); });
  };
  EXPECT_EQ(records(doubled(tile<BM>)), "%0 = constant 1 : f32[2*BM]\nstore %0 parameter 0\n");
  EXPECT_EQ(records(doubled(tile<4>)), "%0 = constant 1 : f32[8]\nstore %0 parameter 0\n");
  EXPECT_EQ(records(doubled(tile<BN / 2>)), "%0 = constant 1 : f32[2*(BN/2)]\nstore %0 parameter 0\n");
}

}  // namespace
}  // namespace tilewright::test
