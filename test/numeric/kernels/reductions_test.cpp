// SPDX-License-Identifier: Apache-2.0
// Kernels as a user writes them, that reduce: ragged edges (KER-06), empty axes (KER-07), views with any strides
// (KER-08), narrow sums (KER-02). And scans.
#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BN{"BN"}, BM{"BM"};

inline constexpr auto padded_max = kernel<"padded_max">([](Block b, Out<f32, 1, 1> z, In<f32, dyn, dyn> x) {
  z.store(reduce_max<1>(x.load(tile<1, BN>, b.pid(0), 0, pad(-inf))));
});
inline constexpr auto padded_min = kernel<"padded_min">([](Block b, Out<f32, 1, 1> z, In<f32, dyn, dyn> x) {
  z.store(reduce_min<1>(x.load(tile<1, BN>, b.pid(0), 0, pad(inf))));
});
inline constexpr auto padded_product = kernel<"padded_product">([](Block b, Out<f32, 1, 1> z, In<f32, dyn, dyn> x) {
  z.store(reduce_product<1>(x.load(tile<1, BN>, b.pid(0), 0, pad(1))));
});
inline constexpr auto mean = kernel<"mean">([](Block b, Out<f16, 1, 1> z, In<f16, dyn, dyn> x) {
  auto row = cast<f32>(x.load(tile<1, BN>, b.pid(0), 0, pad(0)));
  z.store(cast<f16>(reduce_sum<1>(row) / cast<f32>(x.extent(1))));
});
inline constexpr auto max_of_zero_padding =
    kernel<"max_of_zero_padding">([](Block b, Out<f32, 1, 1> z, In<f32, dyn, dyn> x) {
      z.store(reduce_max<1>(x.load(tile<1, BN>, b.pid(0), 0, pad(0))));
    });
inline constexpr auto max_without_pad = kernel<"max_without_pad">(
    [](Block b, Out<f32, 1, 1> z, In<f32, dyn, dyn> x) { z.store(reduce_max<1>(x.load(tile<1, BN>, b.pid(0), 0))); });

class Reduction : public KernelTest {
 protected:
  // The first three of a row of four, inside a tile of four; the fourth is infinite.
  template <class Kernel, class T>
  static double of_three(const Kernel& kernel, std::vector<T> values, double beside) {
    values.push_back(from_f64<T>(beside));
    return to_f64(
        output(kernel.with(BN = 4)(poisoned<T>({1, 1}).partition({1, 1}), upload(values, {1, 4}).slice(1, 0, 3)))[0]);
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Reduction);

// KER-06
TEST_P(Reduction, IgnoresWhatLiesPastTheEdge) {
  EXPECT_EQ(of_three(padded_max, std::vector<f32>{-5, -6, -7}, infinity), -5);
  EXPECT_EQ(of_three(padded_min, std::vector<f32>{5, 6, 7}, -infinity), 5);
  EXPECT_EQ(of_three(padded_product, std::vector<f32>{2, 3, 5}, infinity), 30);
  EXPECT_EQ(of_three(mean, std::vector<f16>{f16(3), f16(6), f16(9)}, infinity), 6);
}

// KER-06
TEST_P(Reduction, TakesThePadAsTheAuthorsWord) {
  EXPECT_EQ(of_three(max_of_zero_padding, std::vector<f32>{-5, -6, -7}, infinity), 0);
}

// KER-06
TEST_P(Reduction, WithoutAPadIsRefused) {
  try {
    (void)of_three(max_without_pad, std::vector<f32>{-5, -6, -7}, infinity);
    FAIL() << "accepted";
  } catch (const compile_error& e) {
    EXPECT_NE(std::string(e.what()).find("reductions_test.cpp"), std::string::npos) << e.what();
    EXPECT_NE(e.parts().fix.find("pad"), std::string::npos) << e.what();
  }
}

// KER-02: the mean divides before it narrows; 1024 times 100 passes the range of f16.
TEST_P(Reduction, MeanOfHalvesFits) {
  const auto result =
      output(mean.with(BN = 1024)(poisoned<f16>({1, 1}).partition({1, 1}), upload(matrix<f16>(1, 1024, f16(100.0f)))));
  EXPECT_EQ(to_f64(result[0]), 100.0);
}

template <class T>
constexpr auto total() {
  return kernel<"total">([](Block b, Out<T, 1, 1> z, In<T, dyn, dyn> x) {
    auto row = reduce_sum<1>(x.load(tile<1, BN>, b.pid(0), 0, pad(0)));
    z.store(row);
  });
}

// KER-02
TEST_P(Reduction, OfNarrowTypesAccumulatesInF32) {
  const auto halves = output(
      total<f16>().with(BN = 4096)(poisoned<f16>({1, 1}).partition({1, 1}), upload(matrix<f16>(1, 4096, f16(1.0f)))));
  EXPECT_EQ(to_f64(halves[0]), 4096.0);
  const auto ones = output(total<bf16>().with(BN = 4096)(poisoned<bf16>({1, 1}).partition({1, 1}),
                                                         upload(matrix<bf16>(1, 4096, bf16(1.0f)))));
  EXPECT_EQ(to_f64(ones[0]), 4096.0);
  const auto brains = output(total<bf16>().with(BN = 10000)(poisoned<bf16>({1, 1}).partition({1, 1}),
                                                            upload(matrix<bf16>(1, 10000, bf16(0.1f)))));
  EXPECT_EQ(to_f64(brains[0]), 1000.0);
}

// ---- Scans of rows that end inside their tile, from both ends (KER-06)
template <scan_order Order>
constexpr auto running() {
  return kernel<"running">([](Block b, Out<f32, 1, BN> sum, Out<f32, 1, BN> product, Out<f32, 1, BN> greatest,
                              Out<f32, 1, BN> least, In<f32, dyn, dyn> x) {
    sum.store(scan_sum<1, Order>(x.load(tile<1, BN>, b.pid(0), b.pid(1), pad(0))));
    product.store(scan_product<1, Order>(x.load(tile<1, BN>, b.pid(0), b.pid(1), pad(1))));
    greatest.store(scan_max<1, Order>(x.load(tile<1, BN>, b.pid(0), b.pid(1), pad(-inf))));
    least.store(scan_min<1, Order>(x.load(tile<1, BN>, b.pid(0), b.pid(1), pad(inf))));
  });
}
inline constexpr auto running_max_without_pad =
    kernel<"running_max_without_pad">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, dyn> x) {
      z.store(scan_max<1, scan_order::reverse>(x.load(tile<1, BN>, b.pid(0), b.pid(1))));
    });

class Scan : public KernelTest {
 protected:
  using rows = std::vector<std::vector<f32>>;
  // Sums, products, greatest and least of the first elements of a row that goes on with infinities.
  template <scan_order Order>
  static rows of_row(std::vector<f32> values, int columns) {
    const auto count = static_cast<index_t>(values.size());
    values.resize(values.size() + 8, static_cast<f32>(infinity));
    const auto out = [&] { return poisoned<f32>({1, count}).partition({1, columns}); };
    auto given = running<Order>()(out(), out(), out(), out(), upload(values, {1, count + 8}).slice(1, 0, count)).sync();
    return {std::get<0>(given).to_host(), std::get<1>(given).to_host(), std::get<2>(given).to_host(),
            std::get<3>(given).to_host()};
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Scan);

TEST_P(Scan, IgnoresWhatLiesPastTheEdge) {
  for (const int columns : {5, 6, 8, 16}) {
    SCOPED_TRACE(columns);
    EXPECT_EQ(of_row<scan_order::forward>({3, -1, 4, -2, 5}, columns),
              (rows{{3, 2, 6, 4, 9}, {3, -3, -12, 24, 120}, {3, 3, 4, 4, 5}, {3, -1, -1, -2, -2}}));
    EXPECT_EQ(of_row<scan_order::reverse>({3, -1, 4, -2, 5}, columns),
              (rows{{9, 6, 7, 3, 5}, {120, 40, -40, -10, 5}, {5, 5, 5, 5, 5}, {-2, -2, -2, -2, 5}}));
    EXPECT_EQ(of_row<scan_order::reverse>({-7}, columns), (rows{{-7}, {-7}, {-7}, {-7}}));
    EXPECT_EQ(of_row<scan_order::reverse>({}, columns), rows(4));
  }
}

// Each tile of a row by itself.
TEST_P(Scan, StartsAnewInEachTile) {
  EXPECT_EQ(of_row<scan_order::forward>({1, 2, 3, 4, 5, 6, 7}, 4)[0], (std::vector<f32>{1, 3, 6, 10, 5, 11, 18}));
  EXPECT_EQ(of_row<scan_order::reverse>({1, 2, 3, 4, 5, 6, 7}, 4)[0], (std::vector<f32>{10, 9, 7, 4, 18, 13, 7}));
}

TEST_P(Scan, WithoutAPadIsRefusedWhereATileReachesPastTheRow) {
  const auto run = [](int columns) {
    return output(running_max_without_pad(poisoned<f32>({1, 6}).partition({1, columns}), upload(matrix<f32>(1, 6))));
  };
  EXPECT_EQ(run(3), std::vector<f32>(6, 0.0f));
  try {
    (void)run(4);
    FAIL() << "accepted";
  } catch (const compile_error& e) {
    EXPECT_NE(std::string(e.what()).find("scan_max over axis 1"), std::string::npos) << e.what();
    EXPECT_NE(e.parts().fix.find("pad"), std::string::npos) << e.what();
  }
}

// ---- Empty axes (KER-07): the loop over tiles of axis 0 does not run.
inline constexpr auto column_folds =
    kernel<"column_folds">([](Block b, Out<f32, 1, BN> sum, Out<f32, 1, BN> product, Out<f32, 1, BN> greatest,
                              Out<f32, 1, BN> least, In<f32, dyn, dyn> x) {
      auto xt = x.partition(tile<BM, BN>);
      auto s = b.zeros<f32>(tile<1, BN>);
      auto p = b.full<f32>(tile<1, BN>, 1.0f);
      auto g = b.full<f32>(tile<1, BN>, -inf);
      auto l = b.full<f32>(tile<1, BN>, inf);
      for (auto i : range(xt.tiles(0))) {
        s = s + reduce_sum<0>(xt.load(i, b.pid(1), pad(0)));
        p = p * reduce_product<0>(xt.load(i, b.pid(1), pad(1)));
        g = max(g, reduce_max<0>(xt.load(i, b.pid(1), pad(-inf))));
        l = min(l, reduce_min<0>(xt.load(i, b.pid(1), pad(inf))));
      }
      sum.store(s);
      product.store(p);
      greatest.store(g);
      least.store(l);
    });

TEST_P(Reduction, OfAnEmptyAxisIsTheNeutralValue) {
  auto given = column_folds
                   .with(BM = 4)(poisoned<f32>({1, 3}).partition({1, 4}), poisoned<f32>({1, 3}).partition({1, 4}),
                                 poisoned<f32>({1, 3}).partition({1, 4}), poisoned<f32>({1, 3}).partition({1, 4}),
                                 upload(matrix<f32>(0, 3)))
                   .sync();
  const auto inf = static_cast<f32>(infinity);
  EXPECT_EQ(std::get<0>(given).to_host(), std::vector<f32>(3, 0.0f));
  EXPECT_EQ(std::get<1>(given).to_host(), std::vector<f32>(3, 1.0f));
  EXPECT_EQ(std::get<2>(given).to_host(), std::vector<f32>(3, -inf));
  EXPECT_EQ(std::get<3>(given).to_host(), std::vector<f32>(3, inf));
}

// KER-07: max of [0, 3] over axis 1 has shape [0, 1].
TEST_P(Reduction, OverTheOtherAxisOfNoRowsIsEmpty) {
  EXPECT_TRUE(
      output(padded_max.with(BN = 4)(poisoned<f32>({0, 1}).partition({1, 1}), upload(matrix<f32>(0, 3)))).empty());
}

// ---- Views of 1..32768 as [2, 1024, 16], summed over axis 1 (KER-08).
inline constexpr auto middle_sum = kernel<"middle_sum">([](Block b, Out<i32, 1, BN> z, In<i32, dyn, dyn, dyn> x) {
  auto xt = x.partition(tile<1, BM, BN>);
  auto sum = b.zeros<i32>(tile<1, 1, BN>);
  for (auto i : range(xt.tiles(1)).reduction()) sum = sum + reduce_sum<1>(xt.load(b.pid(0), i, b.pid(1), pad(0)));
  z.store(reshape(sum, tile<1, BN>));
});

class StridedView : public KernelTest {
 protected:
  static std::vector<i32> sums(Shape extents, Shape strides, index_t offset) {
    std::vector<i32> values(32768);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<i32>(i) + 1;
    const auto x = device().from_host(values, {2, 1024, 16}).share().strided(extents, strides, offset);
    return output(middle_sum.with(BM = 64)(poisoned<i32>({extents[0], extents[2]}).partition({1, 16}), x));
  }
};
TILEWRIGHT_ON_EACH_BACK_END(StridedView);

TEST_P(StridedView, WithStepsGivesTheSameSums) {
  EXPECT_EQ(sums({2, 341, 3}, {16384, 48, 5}, 33),
            (std::vector<i32>{2794154, 2795859, 2797564, 8381098, 8382803, 8384508}));
}

TEST_P(StridedView, TransposedGivesTheSameSums) {
  std::vector<i32> expected;
  for (i32 j = 0; j < 16; ++j) expected.push_back(8381440 + 1024 * j);
  EXPECT_EQ(sums({1, 1024, 16}, {16384, 16, 1}, 0), expected);
  const auto transposed = [] {
    std::vector<i32> values(16384);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<i32>(i) + 1;
    const auto x = device().from_host(values, {1024, 16}).share().transpose().strided({16, 1024, 1}, {1, 16, 1}, 0);
    return output(middle_sum.with(BM = 64)(poisoned<i32>({16, 1}).partition({1, 1}), x));
  };
  EXPECT_EQ(transposed(), expected);
}

TEST_P(StridedView, ReversedGivesTheSameSums) {
  if (is_gpu()) {
    EXPECT_THROW((void)sums({2, 1024, 16}, {-16384, 16, 1}, 16384), usage_error);
    return;
  }
  std::vector<i32> expected;
  for (i32 j = 0; j < 16; ++j) expected.push_back(25158656 + 1024 * j);
  for (i32 j = 0; j < 16; ++j) expected.push_back(8381440 + 1024 * j);
  EXPECT_EQ(sums({2, 1024, 16}, {-16384, 16, 1}, 16384), expected);
}

TEST_P(StridedView, ReversedWithStepsGivesTheSameSums) {
  if (is_gpu()) {
    EXPECT_THROW((void)sums({2, 342, 3}, {-16384, -48, 5}, 32753), usage_error);
    return;
  }
  EXPECT_EQ(sums({2, 342, 3}, {-16384, -48, 5}, 32753),
            (std::vector<i32>{8402940, 8404650, 8406360, 2799612, 2801322, 2803032}));
}

// ---- Grids beyond 65535 blocks on an axis (KER-10).
template <int Axis>
constexpr auto own_position() {
  return kernel<"own_position">([](Block b, Out<i32, 1, 1, 1> z) {
    z.store(reshape(b.zeros<i32>(tile<1>) + cast<i32>(b.pid(Axis)), tile<1, 1, 1>));
  });
}

class LargeGrid : public KernelTest {
 protected:
  template <int Axis>
  static i64 sum_of_positions(Shape extents) {
    i64 sum = 0;
    for (const i32 value : output(own_position<Axis>()(poisoned<i32>(extents).partition({1, 1, 1})))) sum += value;
    return sum;
  }
};
TILEWRIGHT_ON_EACH_BACK_END(LargeGrid);

TEST_P(LargeGrid, ReachesEveryBlockOnEveryAxis) {
  EXPECT_EQ(sum_of_positions<0>({70000, 1, 1}), 2449965000);
  EXPECT_EQ(sum_of_positions<1>({1, 70000, 1}), 2449965000);
  EXPECT_EQ(sum_of_positions<2>({1, 1, 70000}), 2449965000);
}

}  // namespace
}  // namespace tilewright::test
