// SPDX-License-Identifier: Apache-2.0
// Launches whose blocks share pieces of an output: what comes out when blocks run at the same time, who owns the tensor
// meanwhile, what is refused, and that nobody reads what a failed launch left.
#include <gtest/gtest.h>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/graph.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim BM{"BM"}, BN{"BN"};

// Blocks (j, i): rows of tile i, columns of piece j.
inline constexpr auto column_sums =
    kernel<"column_sums">([](Block b, Accum<i32, combiner::sum, BN> sums, In<i32, dyn, dyn> x) {
      auto part = x.load(tile<BM, BN>, b.pid(1), b.pid(0), pad(0));
      sums.combine(reshape(reduce_sum<0>(part), tile<BN>));
    });
// One for each element that equals the bin's number.
inline constexpr auto histogram = kernel<"histogram">([](Block b, Accum<u32, combiner::sum, N> bins, In<i32, dyn> x) {
  auto numbers = b.iota<i32>(tile<1, N>);
  auto values = reshape(x.load(tile<B>, b.pid(1), pad(-1)), tile<B, 1>);
  bins.combine(reshape(reduce_sum<0>(cast<u32>(values == numbers)), tile<N>));
});
// Rows scaled by two, and their sums and the greatest of all beside them: blocks of a row share a sum.
inline constexpr auto scale_and_sum =
    kernel<"scale_and_sum">([](Block b, Out<f32, BM, BN> z, Accum<f32, combiner::sum, BM> sums,
                               Accum<f32, combiner::max> greatest, In<f32, dyn, dyn> x) {
      z.store(load_like(x, z) * 2.0f);
      auto v = x.load(tile<BM, BN>, b.pid(0), b.pid(1), pad(0));
      sums.combine(reshape(reduce_sum<1>(v), tile<BM>));
      greatest.combine(reshape(reduce_max<0>(reduce_max<1>(v)), tile<>));
    });
// Every block shares the one piece and combines the page that it is told.
inline constexpr auto sum_pages =
    kernel<"sum_pages">([](Block b, Accum<f32, combiner::sum, B> z, In<f32, dyn> x, In<i32, dyn> pages) {
      auto page = to_index(reshape(pages.load(tile<1>, b.pid(1)), tile<>));
      z.combine(x.load(tile<B>, page));
    });
inline constexpr auto count_blocks =
    kernel<"count_blocks">([](Block b, Accum<i64, combiner::sum> total) { total.combine(b.full<i64>(tile<>, 1)); });

class SharedPieces : public testing::TestWithParam<bool> {
 protected:
  static Device host() { return GetParam() ? cpu_device() : interp_device(); }
};
INSTANTIATE_TEST_SUITE_P(On, SharedPieces, testing::Bool(),
                         [](const auto& tested) { return std::string(tested.param ? "cpu" : "interp"); });

TEST_P(SharedPieces, HoldTheSumOfManyBlocks) {
  for (const auto& [rows, columns] : {std::pair<index_t, index_t>{1, 1}, {1000, 37}, {33, 64}, {7, 0}, {0, 5}}) {
    std::vector<i32> values, expected(static_cast<std::size_t>(columns), 5);
    for (index_t i = 0; i < rows * columns; ++i) {
      values.push_back(static_cast<i32>(i * i % 1009) - 500);
      expected[static_cast<std::size_t>(i % columns)] += values.back();
    }
    auto sums = host().full<i32>({columns}, 5);
    const auto x = host().from_host(values, {rows, columns}).share();
    column_sums.with(BM = 4)(sums.partition({16}, shared_by((rows + 3) / 4)), x).sync();
    EXPECT_EQ(sums.to_host(), expected) << rows << " x " << columns;
  }
}

// Thousands of blocks on one address: a step that is not one step loses some.
TEST_P(SharedPieces, LoseNothingWhereAllBlocksMeet) {
  auto total = host().full<i64>({}, 1000);
  for (int round = 0; round < 5; ++round) count_blocks(total.partition({}, shared_by(20'000))).sync();
  EXPECT_EQ(total.to_host(), std::vector<i64>{1000 + 5 * 20'000});
}

TEST_P(SharedPieces, CountAHistogram) {
  std::vector<i32> values;
  std::vector<u32> expected(10, 0);
  for (i32 i = 0; i < 5000; ++i) {
    values.push_back(i * 7 % 13);
    if (values.back() < 10) ++expected[static_cast<std::size_t>(values.back())];
  }
  auto bins = host().zeros<u32>({10});
  histogram.with(B = 64)(bins.all(shared_by(79)), host().from_host(values, {5000}).share()).sync();
  EXPECT_EQ(bins.to_host(), expected);
}

TEST_P(SharedPieces, LieBesideAnOutputOfMoreAxes) {
  const auto x = host().iota<f32>({6, 10}).share();
  auto z = host().zeros<f32>({6, 10});
  auto sums = host().zeros<f32>({6});
  auto greatest = host().full<f32>({}, -1.0f);
  scale_and_sum(z.partition({2, 4}), sums.partition({2}), greatest.partition({}), x).sync();
  EXPECT_EQ(sums.to_host(), (std::vector<f32>{45, 145, 245, 345, 445, 545}));
  EXPECT_EQ(greatest.to_host(), std::vector<f32>{59});
  EXPECT_EQ(z.to_host()[59], 118.0f);
}

TEST_P(SharedPieces, OfNoBlocksKeepWhatTheyHeld) {
  auto total = host().full<i64>({}, 7);
  count_blocks(total.partition({}, shared_by(0))).sync();
  EXPECT_EQ(total.to_host(), std::vector<i64>{7});
}

TEST_P(SharedPieces, NeedNoStatedNumberForOneBlockEach) {
  auto total = host().full<i64>({}, 7);
  count_blocks(total.partition({})).sync();
  EXPECT_EQ(total.to_host(), std::vector<i64>{8});
}

TEST_P(SharedPieces, ComeBackFromALaunchThatOwnsThem) {
  auto [total] = count_blocks(host().full<i64>({}, 0).partition({}, shared_by(3))).sync();
  EXPECT_EQ(total.to_host(), std::vector<i64>{3});
  auto [again] = count_blocks(std::move(total).partition({}, shared_by(4))).start().wait();
  EXPECT_EQ(again.to_host(), std::vector<i64>{7});
}

// The memo of launches must tell them apart.
TEST_P(SharedPieces, OfAnotherNumberAreAnotherLaunch) {
  auto total = host().zeros<i64>({});
  for (const index_t blocks : {3, 5, 3, 5, 1}) count_blocks(total.partition({}, shared_by(blocks))).sync();
  EXPECT_EQ(total.to_host(), std::vector<i64>{17});
}

TEST_P(SharedPieces, AreCombinedAgainByEachReplayOfAGraph) {
  auto total = host().zeros<i64>({});
  Graph graph = capture(host(), [&] {
    count_blocks(total.partition({}, shared_by(10))).sync();
    count_blocks(total.partition({}, shared_by(7))).sync();
  });
  for (int replay = 0; replay < 4; ++replay) graph.enqueue();
  EXPECT_EQ(total.to_host(), std::vector<i64>{68});
}

// ---- What is refused -----------------------------------------------------------------------------------------------
template <class Launch>
std::string refusal(Launch launch) {
  try {
    launch();
  } catch (const usage_error& refused) {
    return refused.parts().what;
  }
  return "accepted";
}

TEST_P(SharedPieces, AreOnlyThoseOfAnAccum) {
  const auto x = host().iota<f32>({8}).share();
  auto z = host().zeros<f32>({8});
  EXPECT_EQ(refusal([&] { add_one(z.partition({4}, shared_by(2)), x).sync(); }),
            "blocks share a piece of an output that each of them stores");
  EXPECT_EQ(z.to_host(), std::vector<f32>(8, 0.0f));
}

TEST_P(SharedPieces, AreSharedByAsManyBlocksAsTheOtherOutputsHave) {
  const auto x = host().iota<f32>({6, 10}).share();
  auto z = host().zeros<f32>({6, 10});
  auto sums = host().zeros<f32>({6}), greatest = host().zeros<f32>({});
  const auto launch = [&](index_t blocks, index_t all = not_stated) {
    scale_and_sum(z.partition({2, 4}), sums.partition({2}, shared_by(blocks)), greatest.partition({}, shared_by(all)),
                  x)
        .sync();
  };
  EXPECT_EQ(refusal([&] { launch(3); }), "accepted");
  EXPECT_EQ(refusal([&] { launch(3, 9); }), "accepted");  // on both axes
  EXPECT_EQ(refusal([&] { launch(3, 3); }), "another number of blocks share a piece than was stated");
  EXPECT_EQ(refusal([&] { launch(4); }), "another number of blocks share a piece than was stated");
  EXPECT_EQ(refusal([&] { launch(-3); }), "a piece is shared by an impossible number of blocks");
}

TEST_P(SharedPieces, OverlapNoOtherArgument) {
  auto z = host().zeros<f32>({8});
  EXPECT_EQ(
      refusal([&] {
        auto held = z.slice(0, 0, 4);
        sum_pages(held.partition({4}, shared_by(1)), z.slice(0, 0, 8).borrow(), host().zeros<i32>({1}).share()).sync();
      }),
      "an output overlaps another argument");
}

TEST_P(SharedPieces, AreCheckedToLieInTheTensorsThatTheirBlocksRead) {
  auto sums = host().zeros<i32>({8});
  const auto x = host().zeros<i32>({8, 8}).share();
  EXPECT_THROW(column_sums.with(BM = 4)(sums.partition({8}, shared_by(3)), x).sync(), usage_error);
}

// ---- Failures ------------------------------------------------------------------------------------------------------
TEST_P(SharedPieces, OfALaunchThatFailedAreReadByNobody) {
  auto z = host().zeros<f32>({4});
  const auto x = host().iota<f32>({16}).share();
  const auto launch = [&](std::vector<i32> pages) {
    const auto count = static_cast<index_t>(pages.size());
    sum_pages(z.partition({4}, shared_by(count)), x, host().from_host(pages, {count}).share()).sync();
  };
  launch({0, 3});
  EXPECT_EQ(z.to_host(), (std::vector<f32>{12, 14, 16, 18}));
  EXPECT_THROW(launch({1, 9, 2}), device_fault);
  EXPECT_THROW((void)z.to_host(), device_fault);
  EXPECT_THROW(launch({1}), device_fault);  // it starts from what is lost
  add_one(z.partition({4}), x.slice(0, 0, 4)).sync();
  launch({1});
  EXPECT_EQ(z.to_host(), (std::vector<f32>{5, 7, 9, 11}));
}

}  // namespace
}  // namespace tilewright::test
