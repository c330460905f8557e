// SPDX-License-Identifier: Apache-2.0
// Parameters, tiles of tensors, and what a kernel knows about its place.
#include "support/captured_text.hpp"

namespace tilewright::test {
namespace {

constexpr Dim M{"M"}, N{"N"}, R{"R"};

TEST(LoadStore, ATileIsNamedByOneIndexForEachAxis) {
  constexpr auto copy = kernel<"copy">(
      [](Block b, Out<f32, M, N> z, In<f32, dyn, dyn> x) { z.store(x.partition(tile<M, N>).load(b.pid(0), 3)); });
  EXPECT_EQ(records(copy),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = constant 3 : index[]\n"
            "%2 = load %0, %1 parameter 1 : f32[M, N]\n"
            "store %2 parameter 0\n");
}

TEST(LoadStore, LoadOfATensorIsLoadOfItsPartition) {
  constexpr auto through_partition = kernel<"k">([](Block b, Out<i8, 4, N> z, In<i8, dyn, dyn> x) {
    z.store(x.partition(tile<4, N>).load(0, b.pid(1), pad(-1)));
  });
  constexpr auto direct = kernel<"k">(
      [](Block b, Out<i8, 4, N> z, In<i8, dyn, dyn> x) { z.store(x.load(tile<4, N>, 0, b.pid(1), pad(-1))); });
  EXPECT_EQ(records(direct), records(through_partition));
  EXPECT_EQ(records(direct),
            "%0 = block_id axis 1 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = constant -1 : i8[]\n"
            "%3 = load %1, %0, %2 parameter 1 padded : i8[4, N]\n"
            "store %3 parameter 0\n");
}

TEST(LoadStore, AWindowHasAStrideForEachAxis) {
  constexpr auto shifted = kernel<"shifted">([](Block b, Out<i8, 4, N> z, In<i8, dyn, dyn> x) {
    auto windows = x.windows(tile<4, N>, stride<1, 2 * N>);
    z.store(windows.load(windows.tiles(0) - 1, b.pid(1), pad(-1)));
  });
  EXPECT_EQ(records(shifted),
            "%0 = tiles parameter 1 axis 0 in 1 : index[]\n"
            "%1 = constant 1 : index[]\n"
            "%2 = subtract %0, %1 : index[]\n"
            "%3 = block_id axis 1 : index[]\n"
            "%4 = constant -1 : i8[]\n"
            "%5 = load_window %2, %3, %4 parameter 1 strides 1, 2*N padded : i8[4, N]\n"
            "store %5 parameter 0\n");
}

TEST(LoadStore, WindowsThatTheirTilesFillAreAPartition) {
  constexpr auto as_windows = kernel<"k">([](Block b, Out<f32, M, N> z, In<f32, dyn, dyn> x) {
    z.store(x.windows(tile<M, N>, stride<M, N>).load(b.pid(0), b.pid(1)));
  });
  constexpr auto as_tiles = kernel<"k">(
      [](Block b, Out<f32, M, N> z, In<f32, dyn, dyn> x) { z.store(x.load(tile<M, N>, b.pid(0), b.pid(1))); });
  EXPECT_EQ(records(as_windows), records(as_tiles));
}

TEST(LoadStore, ARequirementIsRecordedWithBothValues) {
  constexpr auto checked = kernel<"checked">([](Out<f32, M> z, In<f32, dyn> x) {
    require_equal(x.extent(0), z.extent(0));
    require_equal(x.extent(0), 7);
    z.store(load_like(x, z));
  });
  EXPECT_EQ(records(checked),
            "%0 = extent parameter 1 axis 0 : index[]\n"
            "%1 = extent parameter 0 axis 0 : index[]\n"
            "require_equal %0, %1\n"
            "%3 = extent parameter 1 axis 0 : index[]\n"
            "%4 = constant 7 : index[]\n"
            "require_equal %3, %4\n"
            "%6 = block_id axis 0 : index[]\n"
            "%7 = load %6 parameter 1 : f32[M]\n"
            "store %7 parameter 0\n");
}

TEST(LoadStore, AConditionThatIsRequiredIsRecorded) {
  constexpr auto checked = kernel<"checked">([](Out<f32, M> z, In<f32, dyn> x) {
    requires_(x.extent(0) >= 7);
    z.store(load_like(x, z));
  });
  EXPECT_EQ(records(checked),
            "%0 = extent parameter 1 axis 0 : index[]\n"
            "%1 = constant 7 : index[]\n"
            "%2 = greater_equal %0, %1 : bool[]\n"
            "require %2\n"
            "%4 = block_id axis 0 : index[]\n"
            "%5 = load %4 parameter 1 : f32[M]\n"
            "store %5 parameter 0\n");
}

TEST(LoadStore, LoadLikeTakesThePlaceOfTheOutputsPiece) {
  constexpr auto copy =
      kernel<"copy">([](Out<f32, 2, M, N> z, In<bf16, dyn, dyn, dyn> x) { z.store(cast<f32>(load_like(x, z))); });
  EXPECT_EQ(records(copy),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = block_id axis 1 : index[]\n"
            "%2 = block_id axis 2 : index[]\n"
            "%3 = load %0, %1, %2 parameter 1 : bf16[2, M, N]\n"
            "%4 = cast %3 : f32[2, M, N]\n"
            "store %4 parameter 0\n");
}

TEST(LoadStore, AScalarTensorHasNoIndices) {
  constexpr auto copy = kernel<"copy">([](Out<f64> z, In<f64> x) { z.store(load_like(x, z)); });
  EXPECT_EQ(records(copy), "%0 = load parameter 1 : f64[]\nstore %0 parameter 0\n");
}

TEST(LoadStore, AnInOutIsLoadedBeforeItIsStored) {
  constexpr auto increment = kernel<"increment">([](InOut<u8, N> z) { z.store(z.load() + 1); });
  EXPECT_EQ(records(increment),
            "%0 = load_piece parameter 0 : u8[N]\n"
            "%1 = constant 1 : u8[]\n"
            "%2 = add %0, %1 : u8[N]\n"
            "store %2 parameter 0\n");
}

TEST(LoadStore, SeveralOutputsAreStoredByTheirPositions) {
  constexpr auto both = kernel<"both">([](In<f32, dyn> x, Out<f32, N> a, Out<bool, N> c) {
    auto v = load_like(x, a);
    c.store(v < 0.5);
    a.store(v);
  });
  EXPECT_EQ(records(both),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = load %0 parameter 0 : f32[N]\n"
            "%2 = constant 0.5 : f32[]\n"
            "%3 = less %1, %2 : bool[N]\n"
            "store %3 parameter 2\n"
            "store %1 parameter 1\n");
}

TEST(LoadStore, RowsAreGatheredByAColumnOfRowNumbers) {
  constexpr auto gather = kernel<"gather">([](Block b, Out<f16, R, N> z, In<f16, dyn, dyn> x, In<i32, dyn, 1> rows) {
    z.store(x.gather_rows(rows.load(tile<R, 1>, b.pid(0), 0), tile<R, N>, b.pid(1)));
  });
  EXPECT_EQ(records(gather),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = constant 0 : index[]\n"
            "%2 = load %0, %1 parameter 2 : i32[R, 1]\n"
            "%3 = block_id axis 1 : index[]\n"
            "%4 = gather_rows %2, %3 parameter 1 : f16[R, N]\n"
            "store %4 parameter 0\n");
}

TEST(LoadStore, ABlockKnowsItsPlaceAndTheExtents) {
  constexpr auto place = kernel<"place">([](Block b, Out<index_element> z, In<f32, dyn, dyn> x) {
    z.store(b.pid(0) + b.grid(2) + x.extent(1) + x.partition(tile<M, 8>).tiles(0) + b.size(tile<N>));
  });
  EXPECT_EQ(records(place),
            "%0 = block_id axis 0 : index[]\n"
            "%1 = block_count axis 2 : index[]\n"
            "%2 = add %0, %1 : index[]\n"
            "%3 = extent parameter 1 axis 1 : index[]\n"
            "%4 = add %2, %3 : index[]\n"
            "%5 = tiles parameter 1 axis 0 in M : index[]\n"
            "%6 = add %4, %5 : index[]\n"
            "%7 = dim_value N : index[]\n"
            "%8 = add %6, %7 : index[]\n"
            "store %8 parameter 0\n");
}

TEST(LoadStore, ScalarParametersAreTheFirstRecords) {
  constexpr auto sum = kernel<"sum">(
      [](Block, Out<f32> z, Scalar<f32> a, In<f32> x, Scalar<i64> n) { z.store(a * x.load(tile<>) + cast<f32>(n)); });
  EXPECT_EQ(records(sum),
            "%0 = scalar parameter 1 : f32[]\n"
            "%1 = scalar parameter 3 : i64[]\n"
            "%2 = load parameter 2 : f32[]\n"
            "%3 = multiply %0, %2 : f32[]\n"
            "%4 = cast %1 : f32[]\n"
            "%5 = add %3, %4 : f32[]\n"
            "store %5 parameter 0\n");
}

TEST(LoadStore, ParametersStateTheirKindElementAndExtents) {
  constexpr auto all = kernel<"all">([](Out<f32, M, 1> z, In<bool, dyn, N>, InOut<u16, 7> y, Scalar<index_element> i) {
    y.store(y.load());
    z.store(broadcast(cast<f32>(i), tile<M, 1>));
  });
  const std::string text = ast::to_text(all.module());
  EXPECT_EQ(text.substr(0, text.find('%')),
            "kernel 'all'\n"
            "parameter 0 Out f32[M, 1]\n"
            "parameter 1 In bool[dyn, N]\n"
            "parameter 2 InOut u16[7]\n"
            "parameter 3 Scalar index[]\n");
}

}  // namespace
}  // namespace tilewright::test
