// SPDX-License-Identifier: Apache-2.0
// Cases that users of other systems reported, in kernels as a user writes them, where no test of one kernel or one
// operation is their place: ranks (KER-03), division by what memory holds (KER-04), graphs (KER-11), bad rows (KER-12),
// functions that kernels call (KER-13).
#include <numeric>
#include <string>

#include "numeric/kernels/kernel_test.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BN{"BN"};

class Reported : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Reported);

// ---- The three greatest of a row, greatest first (KER-03) -----------------------------------------------------------
inline constexpr auto three_greatest = kernel<"three_greatest">(
    [](Block b, Out<i64, 1, 1> first, Out<i64, 1, 1> second, Out<i64, 1, 1> third, In<f32, dyn, dyn> x) {
      auto row = x.load(tile<1, BN>, b.pid(0), 0, pad(-inf));
      auto column = b.iota<index_element>(tile<1, BN>);
      auto best = argmax<1>(row);
      auto without_best = select(column == best, -inf, row);
      auto next = argmax<1>(without_best);
      first.store(cast<i64>(best));
      second.store(cast<i64>(next));
      third.store(cast<i64>(argmax<1>(select(column == next, -inf, without_best))));
    });

TEST_P(Reported, TheGreatestOfARowComeInTheOrderOfTheirPlacesAmongEquals) {
  const auto places = [](const std::vector<f32>& row) {
    auto given =
        three_greatest
            .with(BN = 8)(poisoned<i64>({1, 1}).partition({1, 1}), poisoned<i64>({1, 1}).partition({1, 1}),
                          poisoned<i64>({1, 1}).partition({1, 1}), upload(row, {1, static_cast<index_t>(row.size())}))
            .sync();
    return std::vector<i64>{std::get<0>(given).to_host()[0], std::get<1>(given).to_host()[0],
                            std::get<2>(given).to_host()[0]};
  };
  EXPECT_EQ(places({3, 2, 3, 2, 1, 1}), (std::vector<i64>{0, 2, 1}));
  EXPECT_EQ(places({1, 2, 5, 4, 5}), (std::vector<i64>{2, 4, 3}));
}

// The row of a large vocabulary in two launches, however it is cut.
TEST_P(Reported, TheGreatestOfALongRowIsTheSameForEveryCut) {
  if (is_interp()) GTEST_SKIP() << "too slow for the interpreter";
  matrix<f32> x(1, 151936);
  x.at(0, 7) = 1.0f;
  x.at(0, 151935) = 1.0f;
  for (const int columns : {64, 1024, 16384}) {
    SCOPED_TRACE(columns);
    const index_t pieces = (x.columns + columns - 1) / columns;
    auto parts = kernels::argmax_pieces<f32>()
                     .with(dim<kernels::BN>(columns))(poisoned<i64>({1, pieces}).partition({1, 1}),
                                                      poisoned<f32>({1, pieces}).partition({1, 1}), upload(x))
                     .sync();
    auto joined = kernels::argmax_join<f32>()
                      .with(kernels::PIECES = 4096)(
                          poisoned<i64>({1, 1}).partition({1, 1}), poisoned<f32>({1, 1}).partition({1, 1}),
                          std::move(std::get<0>(parts)).share(), std::move(std::get<1>(parts)).share())
                      .sync();
    EXPECT_EQ(std::get<0>(joined).to_host()[0], 7);
    EXPECT_EQ(std::get<1>(joined).to_host()[0], 1.0f);
  }
}

// ---- Every pair of i8 out of memory (KER-04) ------------------------------------------------------------------------
inline constexpr auto divisions =
    kernel<"divisions">([](Block block, Out<i8, BN> quotient, Out<i8, BN> remainder, Out<i8, BN> down,
                           Out<i8, BN> modulus, In<i8, dyn> x, In<i8, dyn> y) {
      auto a = load_like(x, quotient);
      auto b = y.load(tile<BN>, block.pid(0), pad(1));
      quotient.store(a / b);
      remainder.store(a % b);
      down.store(floor_div(a, b));
      modulus.store(floor_mod(a, b));
    });

TEST_P(Reported, EveryPairOfBytesFromMemoryDividesWithTheRightSigns) {
  std::vector<i8> a, b;
  for (int x = -128; x < 128; ++x) {
    for (int y = -128; y < 128; ++y) {
      if (y == 0 || (x == -128 && y == -1)) continue;
      a.push_back(static_cast<i8>(x));
      b.push_back(static_cast<i8>(y));
    }
  }
  const auto count = static_cast<index_t>(a.size());
  ASSERT_EQ(count, 65279);
  const auto out = [&] { return poisoned<i8>({count}).partition({512}); };
  auto given = divisions(out(), out(), out(), out(), upload(a), upload(b)).sync();
  const auto weighted = [&](const std::vector<i8>& values) {
    i64 sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i] * (a[i] + 3 * b[i]);
    return sum;
  };
  EXPECT_EQ(weighted(std::get<0>(given).to_host()), -64186);
  EXPECT_EQ(weighted(std::get<1>(given).to_host()), 134851320);
  EXPECT_EQ(weighted(std::get<2>(given).to_host()), -32189);
  EXPECT_EQ(weighted(std::get<3>(given).to_host()), 532690249);
}

// ---- A graph owns what it computes with (KER-11) --------------------------------------------------------------------
inline constexpr auto doubled =
    kernel<"doubled">([](Out<f32, BN> z, In<f32, dyn> x) { z.store(load_like(x, z) * 2.0f); });
inline constexpr auto plus_one =
    kernel<"plus_one">([](Out<f32, BN> z, In<f32, dyn> x) { z.store(load_like(x, z) + 1.0f); });

double sum_of(const Tensor<f32>& x) {
  const std::vector<f32> values = x.to_host();
  return std::accumulate(values.begin(), values.end(), 0.0);
}

TEST_P(Reported, AGraphReplaysWithMemoryThatNobodyElseHasKept) {
  const Device here = device();
  std::vector<f32> counted(1024), tenfold(1024);
  for (std::size_t i = 0; i < counted.size(); ++i) {
    counted[i] = static_cast<f32>(i + 1);
    tenfold[i] = 10 * counted[i];
  }
  auto y = poisoned<f32>({1024});
  const auto twice_and_one = [&](Shared<f32> x) {
    auto t = here.empty<f32>({1024});
    doubled(t.partition({128}), x).sync();
    plus_one(y.partition({128}), t.borrow()).sync();
  };
  auto first = upload(counted);
  auto second = upload(tenfold);
  Graph graph = capture(here, [&] { twice_and_one(std::move(first)); });
  std::vector<Tensor<f32>> fill;
  for (int n = 0; n < 1000; ++n) fill.push_back(here.full<f32>({1024}, -7.0f));
  for (int replay = 0; replay < (is_interp() ? 3 : 100); ++replay) {
    graph.sync();
    ASSERT_EQ(sum_of(y), 1050624) << replay;
    const auto eager = output(doubled(poisoned<f32>({1024}).partition({128}), here.full<f32>({1024}, -7.0f).share()));
    ASSERT_EQ(eager, std::vector<f32>(1024, -14.0f)) << replay;
  }
  graph.update([&] { twice_and_one(std::move(second)); });
  graph.sync();
  EXPECT_EQ(sum_of(y), 10497024);
  for (const Tensor<f32>& each : fill) ASSERT_EQ(sum_of(each), -7 * 1024.0);
}

// ---- A bad row costs its launch (KER-12) ----------------------------------------------------------------------------
constexpr int line_of_gather = __LINE__ + 3;
inline constexpr auto rows_of_table =
    kernel<"rows_of_table">([](Block b, Out<f32, 1, 4> z, In<f32, dyn, dyn> table, In<i32, dyn> rows) {
      z.store(table.gather_rows(reshape(rows.load(tile<1>, b.pid(0)), tile<1, 1>), tile<1, 4>, b.pid(1)));
    });

TEST_P(Reported, ABadRowIsNamedAndCostsItsLaunchOnly) {
  const Device here = device();
  const auto table = here.iota<f32>({40}).share().reshape({10, 4});
  const auto gather = [&](const std::vector<i32>& rows) {
    const auto count = static_cast<index_t>(rows.size());
    return rows_of_table(poisoned<f32>({count, 4}).partition({1, 4}), table, here.from_host(rows, {count}).share());
  };
  auto z = poisoned<f32>({4});
  Graph graph = capture(here, [&] { doubled(z.partition({4}), table.slice(0, 9, 10).reshape({4})).sync(); });
  try {
    (void)gather({0, 1, 20}).sync();
    FAIL() << "no fault";
  } catch (const device_fault& fault) {
    const report told = fault.parts();
    EXPECT_NE(told.where.find("reported_cases_test.cpp:" + std::to_string(line_of_gather)), std::string::npos)
        << told.where;
    EXPECT_EQ(told.got, "20");
    EXPECT_EQ(told.expected, "0 to 9");
  }
  EXPECT_EQ(output(gather({0, 1, 9})), (std::vector<f32>{0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 39}));
  EXPECT_EQ(table.to_host()[39], 39.0f);
  graph.sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{72, 74, 76, 78}));
}

// ---- A function that a kernel calls is part of it (KER-13) ----------------------------------------------------------
struct adds_one {
  static constexpr auto apply(auto x) { return x + 1.0f; }
};
struct adds_two {
  static constexpr auto apply(auto x) { return x + 2.0f; }
};
template <class Function>
constexpr auto applied() {
  return kernel<"applied">([](Out<f32, BN> z, In<f32, dyn> x) { z.store(Function::apply(load_like(x, z))); });
}

TEST_P(Reported, AKernelThatCallsAnotherFunctionIsAnotherKernel) {
  const std::vector<f32> zeros(5, 0.0f);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(output(applied<adds_one>()(poisoned<f32>({5}).partition({4}), upload(zeros))), std::vector<f32>(5, 1));
    EXPECT_EQ(output(applied<adds_two>()(poisoned<f32>({5}).partition({4}), upload(zeros))), std::vector<f32>(5, 2));
  }
}

}  // namespace
}  // namespace tilewright::test
