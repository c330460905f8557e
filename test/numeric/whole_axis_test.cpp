// SPDX-License-Identifier: Apache-2.0
// Outputs stored tile by tile along whole axes, on every back end: scans and softmax of rows longer than their tiles,
// two whole axes, branches, every element, extents that end inside a tile, strides; nothing past the edge is touched.
#include <cmath>

#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

constexpr Dim BM{"BM"};

class WholeAxis : public BackEndTest {
 protected:
  // Leaves no check to the kernel.
  void run_proved(const ast::module_view& module, const std::vector<compiler::argument>& arguments) {
    const auto bound = compiler::bind_arguments(module, arguments, {}, {});
    const compiler::program program = compiler::front(module, bound.special);
    EXPECT_TRUE(program.residual_checks.empty()) << checks_text(program);
    compiler::verify_launch(program, arguments, bound.grid);
    run(program, GetParam(), arguments, bound.grid);
  }
};

compiler::argument in_pieces(const host_array& z, const std::vector<index_t>& piece) {
  compiler::argument made = z.argument();
  for (std::size_t axis = 0; axis < piece.size(); ++axis) made.piece[axis] = piece[axis];
  return made;
}

template <class T, int Columns>
constexpr auto row_scan = kernel<"row_scan">([](Block b, Out<T, BM, dyn> z, In<T, dyn, dyn> x) {
  auto zt = z.partition(tile<BM, Columns>);
  auto before = b.zeros<T>(tile<BM, 1>);
  for (auto k : range(zt.tiles(1))) {
    auto v = x.load(tile<BM, Columns>, b.pid(0), k, pad(0));
    zt.store(0, k, scan_sum<1>(v) + before);
    before += reduce_sum<1>(v);
  }
});

template <class T, int Columns>
void scan_rows(const back_end& where, index_t rows, index_t columns, index_t row_stride, index_t column_stride) {
  SCOPED_TRACE(testing::PrintToString(std::vector<index_t>{Columns, rows, columns, row_stride, column_stride}));
  constexpr dtype element = dtype_of<T>;
  host_array x(element, {rows, columns}), memory(element, {rows * row_stride + columns * column_stride + 64});
  for (index_t i = 0; i < x.size(); ++i) x.set(i, i % 3);
  for (index_t i = 0; i < memory.size(); ++i) memory.set(i, 77);
  const host_array z = memory.view({rows, columns}, {row_stride, column_stride}, 0);
  run_module(row_scan<T, Columns>.module(), where, {in_pieces(z, {4, whole_axis}), x.argument()});
  std::vector<int> expected(static_cast<std::size_t>(memory.size()), 77);
  for (index_t row = 0; row < rows; ++row) {
    int sum = 0;
    for (index_t column = 0; column < columns; ++column) {
      sum += x.template get<int>(row * columns + column);
      expected[static_cast<std::size_t>(row * row_stride + column * column_stride)] = sum;
    }
  }
  for (index_t i = 0; i < memory.size(); ++i) {
    ASSERT_EQ(memory.template get<int>(i), expected[static_cast<std::size_t>(i)]) << "element " << i;
  }
}

TEST_P(WholeAxis, HoldsTheRunningSumOfARowLongerThanItsTile) {
  for (const index_t columns : {0, 1, 2, 7, 8, 9, 23, 24, 25, 63, 64, 100}) {
    for (const index_t rows : {0, 1, 3, 4, 9}) {
      scan_rows<i32, 8>(GetParam(), rows, columns, columns, 1);
      scan_rows<i32, 24>(GetParam(), rows, columns, columns, 1);
    }
  }
}

TEST_P(WholeAxis, LeavesWhatLiesBetweenRowsAsItWas) {
  for (const index_t columns : {1, 31, 33}) {
    scan_rows<f32, 16>(GetParam(), 5, columns, columns + 3, 1);
    scan_rows<f32, 1>(GetParam(), 5, columns, columns + 16, 1);
    scan_rows<f32, 12>(GetParam(), 5, columns, columns + 1, 1);
    scan_rows<f32, 16>(GetParam(), 5, columns, 1, 5);  // rows lie along memory
  }
}

TEST_P(WholeAxis, TakesEveryElementAtEndsOfAnyNumberOfBytes) {
  for (const index_t columns : {15, 16, 37}) {
    scan_rows<i8, 16>(GetParam(), 3, columns, columns, 1);
    scan_rows<u8, 4>(GetParam(), 3, columns, columns, 1);
    scan_rows<i16, 16>(GetParam(), 3, columns, columns, 1);
    scan_rows<u32, 8>(GetParam(), 3, columns, columns, 1);
    scan_rows<i64, 4>(GetParam(), 3, columns, columns, 1);
    scan_rows<f16, 16>(GetParam(), 3, columns, columns, 1);
    scan_rows<bf16, 6>(GetParam(), 3, columns, columns, 1);
    scan_rows<f64, 16>(GetParam(), 3, columns, columns, 1);
  }
}

TEST_P(WholeAxis, MayBeVeryLong) { scan_rows<i32, 256>(GetParam(), 1, 1'000'003, 1'000'003, 1); }

// Two passes over a row that no tile holds: its greatest and sum, then each part of it.
constexpr auto long_softmax = kernel<"long_softmax">([](Block b, Out<f32, BM, dyn> z, In<f32, dyn, dyn> x) {
  auto zt = z.partition(tile<BM, 32>);
  auto greatest = b.full<f32>(tile<BM, 1>, -HUGE_VALF);
  auto sum = b.zeros<f32>(tile<BM, 1>);
  for (auto k : range(zt.tiles(1))) {
    auto v = x.load(tile<BM, 32>, b.pid(0), k, pad(-HUGE_VALF));
    auto next = max(greatest, reduce_max<1>(v));
    sum = sum * exp(greatest - next) + reduce_sum<1>(exp(v - next));
    greatest = next;
  }
  for (auto k : range(zt.tiles(1))) {
    zt.store(0, k, exp(x.load(tile<BM, 32>, b.pid(0), k) - greatest) / sum);
  }
});

TEST_P(WholeAxis, HoldsTheSoftmaxOfALongRow) {
  for (const index_t columns : {1, 31, 32, 33, 500}) {
    host_array x(dtype::f32, {5, columns}), z(dtype::f32, {5, columns});
    for (index_t i = 0; i < x.size(); ++i) x.set(i, std::sin(static_cast<double>(i)) * 9);
    run_proved(long_softmax.module(), {in_pieces(z, {2, whole_axis}), x.argument()});
    for (index_t row = 0; row < 5; ++row) {
      double sum = 0;
      for (index_t column = 0; column < columns; ++column) sum += std::exp(x.get<double>(row * columns + column));
      for (index_t i = row * columns; i < (row + 1) * columns; ++i) {
        ASSERT_NEAR(z.get<double>(i), std::exp(x.get<double>(i)) / sum, 2e-6) << columns << " columns, element " << i;
      }
    }
  }
}

// Whole planes, in tiles of two axes, of which the outer loop takes the last.
constexpr auto transposed = kernel<"transposed">([](Block b, Out<i32, dyn, BM, dyn> z, In<i32, dyn, dyn, dyn> x) {
  auto zt = z.partition(tile<4, BM, 8>);
  for (auto k : range(0, zt.tiles(2), 1)) {
    for (auto i : range(zt.tiles(0))) {
      zt.store(i, 0, k, permute<2, 1, 0>(x.load(tile<8, BM, 4>, k, b.pid(1), i)));
    }
  }
});

TEST_P(WholeAxis, MayBeTwoStoredInNestedLoops) {
  for (const std::vector<index_t>& extents :
       {std::vector<index_t>{1, 1, 1}, {4, 2, 8}, {5, 3, 9}, {3, 1, 20}, {0, 3, 4}, {4, 0, 8}, {9, 5, 0}}) {
    SCOPED_TRACE(testing::PrintToString(extents));
    host_array z(dtype::i32, extents), x(dtype::i32, {extents[2], extents[1], extents[0]});
    for (index_t i = 0; i < x.size(); ++i) x.set(i, i);
    run_proved(transposed.module(), {in_pieces(z, {whole_axis, 2, whole_axis}), x.argument()});
    for (index_t i = 0; i < z.size(); ++i) {
      const index_t a = i / (extents[1] * extents[2]), b = i / extents[2] % extents[1], c = i % extents[2];
      ASSERT_EQ(z.get<index_t>(i), (c * extents[1] + b) * extents[0] + a) << i;
    }
  }
}

// Tiles of another size, and other values, as a scalar and the place decide; a second output beside it.
constexpr auto chosen = kernel<"chosen">([](Block b, Out<i32, BM, dyn> z, Out<i32, BM, 1> sums, Scalar<i32> how) {
  auto sum = b.zeros<i32>(tile<BM, 1>);
  if_(
      how > 0,
      [&] {
        auto zt = z.partition(tile<BM, 4>);
        for (auto k : range(zt.tiles(1))) {
          auto v = b.zeros<i32>(tile<BM, 4>) + b.iota<i32>(tile<1, 4>) + cast<i32>(k) * 4;
          sum += reduce_sum<1>(v);
          if_(
              k % 2 == 0, [&] { zt.store(0, k, v); }, [&] { zt.store(0, k, v * -1); });
        }
      },
      [&] {
        auto zt = z.partition(tile<BM, 16>);
        for (auto k : range(zt.tiles(1))) zt.store(0, k, b.full<i32>(tile<BM, 16>, 5));
      });
  sums.store(sum);
});

TEST_P(WholeAxis, IsStoredOnBothBranches) {
  for (const int how : {0, 1}) {
    for (const index_t columns : {1, 4, 11, 40}) {
      SCOPED_TRACE(testing::PrintToString(std::vector<index_t>{how, columns}));
      host_array z(dtype::i32, {3, columns}), sums(dtype::i32, {3, 1});
      compiler::argument number;
      number.scalar = static_cast<std::uint64_t>(how);
      run_proved(chosen.module(), {in_pieces(z, {2, whole_axis}), in_pieces(sums, {2, 1}), number});
      const index_t lanes = (columns + 3) / 4 * 4;
      for (index_t row = 0; row < 3; ++row) EXPECT_EQ(sums.get<index_t>(row), how * lanes * (lanes - 1) / 2);
      for (index_t i = 0; i < z.size(); ++i) {
        const index_t column = i % columns;
        EXPECT_EQ(z.get<index_t>(i), how == 0 ? 5 : column / 4 % 2 == 0 ? column : -column) << i;
      }
    }
  }
}

// A product for each tile of a row, and all of them summed so far; a value from before the loop in a third output.
constexpr auto products = kernel<"products">([](Block b, Out<f32, BM, dyn> z, Out<f32, BM, dyn> sums,
                                                Out<f32, BM, dyn> ids, In<f32, dyn, dyn> x, In<f32, dyn, dyn> y) {
  auto zt = z.partition(tile<BM, 16>);
  auto st = sums.partition(tile<BM, 16>);
  auto it = ids.partition(tile<BM, 8>);
  auto all = b.zeros<f32>(tile<BM, 16>);
  for (auto j : range(zt.tiles(1))) {
    auto acc = b.zeros<f32>(tile<BM, 16>);
    for (auto k : range(y.partition(tile<8, 16>).tiles(0))) {
      acc = mma(x.load(tile<BM, 8>, b.pid(0), k, pad(0)), y.load(tile<8, 16>, k, j, pad(0)), acc);
    }
    zt.store(0, j, acc);
  }
  for (auto j : range(st.tiles(1))) {
    for (auto k : range(y.partition(tile<8, 16>).tiles(0))) {
      all = mma(x.load(tile<BM, 8>, b.pid(0), k, pad(0)), y.load(tile<8, 16>, k, j, pad(0)), all);
    }
    st.store(0, j, all);
  }
  auto id = b.zeros<f32>(tile<BM, 8>) + cast<f32>(b.pid(0));
  for (auto j : range(it.tiles(1))) it.store(0, j, id);
});

TEST_P(WholeAxis, HoldsProductsAndWhatALoopCarries) {
  for (const index_t columns : {1, 16, 40}) {
    SCOPED_TRACE(columns);
    constexpr index_t rows = 11, depth = 19;
    host_array x(dtype::f32, {rows, depth}), y(dtype::f32, {depth, columns}), z(dtype::f32, {rows, columns}),
        sums(dtype::f32, {rows, columns}), ids(dtype::f32, {rows, columns});
    for (index_t i = 0; i < x.size(); ++i) x.set(i, i % 7 - 3);
    for (index_t i = 0; i < y.size(); ++i) y.set(i, i % 5 - 2);
    const std::vector<index_t> piece = {4, whole_axis};
    run_proved(products.module(),
               {in_pieces(z, piece), in_pieces(sums, piece), in_pieces(ids, piece), x.argument(), y.argument()});
    std::vector<int> so_far(rows * 16, 0);
    for (index_t column = 0; column < columns; ++column) {
      for (index_t row = 0; row < rows; ++row) {
        int product = 0;
        for (index_t k = 0; k < depth; ++k) product += x.get<int>(row * depth + k) * y.get<int>(k * columns + column);
        int& sum = so_far[static_cast<std::size_t>(row * 16 + column % 16)];
        sum += product;
        const index_t at = row * columns + column;
        ASSERT_EQ(z.get<int>(at), product) << at;
        ASSERT_EQ(sums.get<int>(at), sum) << at;
        ASSERT_EQ(ids.get<int>(at), row / 4) << at;
      }
    }
  }
}

// One block has all of the tensor.
constexpr auto counted = kernel<"counted">([](Block b, Out<i64, dyn> z) {
  auto zt = z.partition(tile<32>);
  for (auto k : range(zt.tiles(0))) zt.store(k, cast<i64>(b.iota<index_element>(tile<32>) + k * 32));
});

TEST_P(WholeAxis, MayBeTheOnlyOne) {
  for (const index_t extent : {0, 1, 32, 33, 1000}) {
    host_array z(dtype::i64, {extent});
    run_proved(counted.module(), {in_pieces(z, {whole_axis})});
    for (index_t i = 0; i < extent; ++i) ASSERT_EQ(z.get<index_t>(i), i);
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(WholeAxis);

}  // namespace
}  // namespace tilewright::test
