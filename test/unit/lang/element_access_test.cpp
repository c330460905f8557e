// SPDX-License-Identifier: Apache-2.0
// Elements that data chooses: gather from an In, combine_at on an Accum of the whole tensor.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"};

TEST(ElementAccess, AGatherTakesAnIndexForEachAxis) {
  constexpr auto chosen = kernel<"chosen">([](Block b, Out<f32, M> z, In<f32, dyn, dyn> x, In<i32, dyn> list) {
    z.store(x.gather(list.load(tile<M>, b.pid(0)), 3));
  });
  EXPECT_EQ(records(chosen),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = load %0 parameter 2 : i32[M]\n"
            "%2 = constant 3 : index[]\n"
            "%3 = gather %1, %2 parameter 1 : f32[M]\n"
            "store %3 parameter 0\n");
}

TEST(ElementAccess, IndicesAndMaskAreRepeatedToOneShape) {
  constexpr auto chosen = kernel<"chosen">([](Block b, Out<f16, M, N> z, In<f16, dyn, dyn> x) {
    auto i = b.iota<u8>(tile<M, 1>);
    auto j = b.iota<index_element>(tile<1, N>);
    z.store(x.gather(i, j, where(j < b.pid(1))));
  });
  EXPECT_EQ(records(chosen),
            "%0 = iota axis 0 : u8[M, 1]\n"
            "%1 = iota axis 1 : index[1, N]\n"
            "%2 = block_id axis 1 : index[]\n"
            "%3 = less %1, %2 : bool[1, N]\n"
            "%4 = gather %0, %1, %3 parameter 1 masked : f16[M, N]\n"
            "store %4 parameter 0\n");
}

TEST(ElementAccess, ScalarsChooseOneElement) {
  constexpr auto chosen = kernel<"chosen">([](Block b, Out<i32> z, In<i32, dyn> x) { z.store(x.gather(b.pid(0))); });
  EXPECT_EQ(records(chosen),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = gather %0 parameter 1 : i32[]\n"
            "store %1 parameter 0\n");
}

TEST(ElementAccess, SixAxesAreChosenByAsManyIndices) {
  constexpr auto chosen = kernel<"chosen">([](Block b, Out<i8, M> z, In<i8, dyn, dyn, dyn, dyn, dyn, dyn> x) {
    auto i = b.iota<i64>(tile<M>);
    z.store(x.gather(i, i, i, i, i, i, where(i > 2)));
  });
  EXPECT_NE(records(chosen).find("= gather %0, %0, %0, %0, %0, %0, %2 parameter 1 masked : i8[M]\n"),
            std::string::npos);
}

TEST(ElementAccess, ATileOrANumberIsCombinedIntoAWholeTensor) {
  constexpr auto count = kernel<"count">([](Block b, Accum<u32, combiner::sum, dyn, dyn> z, In<i32, dyn> x) {
    auto i = x.load(tile<M>, b.pid(2));
    z.combine_at(1, i, 0);
    z.combine_at(cast<u32>(i), i, i, where(i > 0));
  });
  EXPECT_EQ(records(count),
            "%0 = block_id axis 2 : index[]\n"
            "%1 = load %0 parameter 1 : i32[M]\n"
            "%2 = constant 1 : u32[]\n"
            "%3 = constant 0 : index[]\n"
            "combine_at %2, %1, %3 parameter 0\n"
            "%5 = cast %1 : u32[M]\n"
            "%6 = constant 0 : i32[]\n"
            "%7 = greater %1, %6 : bool[M]\n"
            "combine_at %5, %1, %1, %7 parameter 0 masked\n");
}

}  // namespace
}  // namespace tilewright::test
