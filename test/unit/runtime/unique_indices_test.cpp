// SPDX-License-Identifier: Apache-2.0
// Unique indices: what their check refuses, that nobody changes them afterwards, and launches whose rows they place.
#include <gtest/gtest.h>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/debug.hpp"
#include "tilewright/runtime/graph.hpp"
#include "unit/runtime/faulting_kernels.hpp"

TILEWRIGHT_TEST_UNFOLLOWED_LOANS

namespace tilewright::test {
namespace {

inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto placed = kernel<"placed">(
    [](Scatter<i32, BM, BN> z, Unique<i32> rows, In<i32, dyn, dyn> x) { z.store(rows, load_like(x, z)); });
inline constexpr auto placed_beside =
    kernel<"placed_beside">([](Scatter<i32, BM, BN> z, Out<i32, BM, BN> y, Unique<i64> rows, In<i32, dyn, dyn> x) {
      z.store(rows, load_like(x, z));
      y.store(load_like(x, y));
    });
inline constexpr auto placed_quotients =
    kernel<"placed_quotients">([](Block b, Scatter<i32, BM, 1> z, Unique<i32> rows, In<i32, dyn> x) {
      z.store(rows, reshape(1 / x.load(tile<BM>, b.pid(0), pad(1)), tile<BM, 1>));
    });

inline constexpr auto filled = kernel<"filled">([](Out<i32, BM> z, In<i32, dyn> x) { z.store(load_like(x, z)); });

class UniqueRows : public testing::TestWithParam<bool> {
 protected:
  static Device host() { return GetParam() ? cpu_device() : interp_device(); }
  template <class I = i32>
  static Shared<I> list(const std::vector<I>& values) {
    return host().from_host(values, {static_cast<index_t>(values.size())}).share();
  }
};
INSTANTIATE_TEST_SUITE_P(On, UniqueRows, testing::Bool(),
                         [](const auto& tested) { return std::string(tested.param ? "cpu" : "interp"); });

// ---- The check -----------------------------------------------------------------------------------------------------
TEST_P(UniqueRows, AreCheckedOnce) {
  const auto refused = [](const auto& indices, index_t rows) {
    return usage_of([&] { (void)unique_indices(indices, rows); });
  };
  const report twice = refused(list({4, 0, 3, 9, 0, 4}), 10);
  EXPECT_EQ(twice.what, "an index stands twice");
  EXPECT_EQ(twice.where, "unique_indices()");
  EXPECT_EQ(twice.got, "0 at positions 1 and 4");
  const report negative = refused(list({4, -1, 4}), 10);
  EXPECT_EQ(negative.what, "an index names no row");
  EXPECT_EQ(negative.expected, "0 to 9");
  EXPECT_EQ(negative.got, "-1 at position 1");
  EXPECT_EQ(refused(list({4, 9, 10}), 10).got, "10 at position 2");
  EXPECT_EQ(refused(list<i64>({INT64_MIN}), 10).got, "-9223372036854775808 at position 0");
  EXPECT_EQ(refused(list<i64>({5, INT64_MAX}), 10).got, "9223372036854775807 at position 1");
  EXPECT_EQ(refused(list({0}), 0).what, "an index names no row");
  EXPECT_EQ(refused(list({0}), -1).what, "an impossible number of rows");
  EXPECT_EQ(refused(list({0, 1}).reshape({1, 2}), 2).what, "unique indices have one axis");
  EXPECT_EQ(unique_indices(list({}), 0).shape(), Shape({0}));
  const auto most = unique_indices(list<i64>({0, (index_t{1} << 48) - 1}), index_t{1} << 48);
  EXPECT_EQ(most.bound(), index_t{1} << 48);
}

// Of a view only what it shows.
TEST_P(UniqueRows, MayBeAView) {
  const auto all = list({7, 0, 7, 1, 7, 2, 7});
  const auto rows = unique_indices(all.strided({3}, {2}, 1), 3);
  auto z = host().full<i32>({3, 1}, 9);
  placed(z.partition({2, 1}), rows, host().iota<i32>({3, 1}).share()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{0, 1, 2}));
  EXPECT_THROW((void)unique_indices(all, 8), usage_error);
}

// ---- Who owns them -------------------------------------------------------------------------------------------------
// What knows the memory that they were made from may write it, as a graph that is replayed does.
TEST_P(UniqueRows, AreNotChangedWhileTheyLive) {
  auto given = host().from_host<i32>({3, 1, 0, 2}, {4});
  const auto none = list({0, 0, 0, 0});
  Graph graph = capture(host(), [&] { filled(given.partition({2}), none).sync(); });
  auto shared = std::move(given).share();
  const auto rows = unique_indices(shared, 4);
  graph.sync();
  EXPECT_EQ(shared.to_host(), (std::vector<i32>{0, 0, 0, 0}));
  const auto copy = rows;
  EXPECT_EQ(copy.indices().to_host(), (std::vector<i32>{3, 1, 0, 2}));
  EXPECT_EQ(copy.device(), host());
  auto z = host().zeros<i32>({4, 1});
  placed(z.partition({1, 1}), copy, host().iota<i32>({4, 1}).share()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{2, 1, 3, 0}));
}

TEST_P(UniqueRows, ComeBackFromALaunchThatOwnsThem) {
  auto [z, rows, x] = placed(host().full<i32>({3, 2}, 5).partition({1, 2}), unique_indices(list({2, 0}), 3),
                             host().iota<i32>({2, 2}).share())
                          .sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{2, 3, 5, 5, 0, 1}));
  auto [again, same, more] =
      placed(std::move(z).partition({2, 1}), rows, host().full<i32>({2, 2}, 8).share()).start().wait();
  EXPECT_EQ(again.to_host(), (std::vector<i32>{8, 8, 5, 5, 8, 8}));
  EXPECT_EQ(same.bound(), 3);
}

TEST_P(UniqueRows, OfALentOutputAreNotRead) {
  auto z = host().zeros<i32>({3, 2});
  const auto rows = unique_indices(list({2, 0}), 3);
  const auto x = host().iota<i32>({2, 2}).share();
  scope([&](Scope& s) {
    s.start(placed(z.partition({2, 2}), rows, x));
    EXPECT_THROW((void)z.to_host(), usage_error);
    EXPECT_THROW(s.start(placed(z.partition({2, 2}), rows, x)), usage_error);
  });
  EXPECT_EQ(z.to_host(), (std::vector<i32>{2, 3, 0, 0, 0, 1}));
}

// ---- Launches ------------------------------------------------------------------------------------------------------
TEST_P(UniqueRows, NameRowsThatTheOutputHas) {
  auto z = host().zeros<i32>({3, 1}), longer = host().zeros<i32>({8, 1});
  const auto x = host().full<i32>({2, 1}, 1).share();
  const auto rows = unique_indices(list({2, 0}), 4);
  placed(longer.partition({2, 1}), rows, x).sync();
  const report told = usage_of([&] { placed(z.partition({2, 1}), rows, x).sync(); });
  EXPECT_EQ(told.what, "unique indices name rows that an output does not have");
  EXPECT_EQ(told.where, "kernel 'placed', parameter 0 (Scatter), placed by parameter 1");
  EXPECT_EQ(told.expected, "at least 4 rows, which the indices were checked for");
  EXPECT_EQ(told.got, "3 rows");
}

// All else is the same, so that the memo of launches must tell them apart.
TEST_P(UniqueRows, OfAnotherCheckAreAnotherLaunch) {
  auto z = host().zeros<i32>({3, 1});
  const auto indices = list({2, 0});
  const auto x = host().full<i32>({2, 1}, 1).share();
  placed(z.partition({2, 1}), unique_indices(indices, 3), x).sync();
  EXPECT_THROW(placed(z.partition({2, 1}), unique_indices(indices, 4), x).sync(), usage_error);
  placed(z.partition({2, 1}), unique_indices(indices, 3), x).sync();
}

TEST_P(UniqueRows, MakeTheGridWithTheOtherOutputs) {
  auto z = host().full<i32>({9, 2}, 7), y = host().zeros<i32>({3, 2}), other = host().zeros<i32>({9, 2});
  const auto rows = unique_indices(list<i64>({8, 4, 0}), 9);
  const auto x = host().iota<i32>({3, 2}).share();
  placed_beside(z.partition({2, 2}), y.partition({2, 2}), rows, x).sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{4, 5, 7, 7, 7, 7, 7, 7, 2, 3, 7, 7, 7, 7, 7, 7, 0, 1}));
  EXPECT_EQ(y.to_host(), x.to_host());
  const report told = usage_of([&] { placed_beside(z.partition({2, 2}), other.partition({2, 2}), rows, x).sync(); });
  EXPECT_EQ(told.what, "outputs have different numbers of pieces");
  const auto shorter = host().iota<i32>({2, 2}).share();
  EXPECT_THROW(placed_beside(z.partition({2, 2}), y.partition({2, 2}), rows, shorter).sync(), usage_error);
}

TEST_P(UniqueRows, ArePlacedByEachReplayOfAGraph) {
  auto z = host().zeros<i32>({4, 1}), x = host().full<i32>({2, 1}, 3);
  const auto rows = unique_indices(list({3, 1}), 4);
  Graph graph = capture(host(), [&] { placed(z.partition({2, 1}), rows, x.borrow()).sync(); });
  graph.sync();
  EXPECT_EQ(z.to_host(), (std::vector<i32>{0, 3, 0, 3}));
}

// What other rows held is part of the result, so that a lost tensor stays lost.
TEST_P(UniqueRows, AreLostWithWhatTheOutputHeld) {
  auto z = host().zeros<i32>({4, 1});
  const auto rows = unique_indices(list({3, 1, 0, 2}), 4);
  EXPECT_THROW(placed_quotients(z.partition({2, 1}), rows, list({1, 0, 1, 1})).sync(), device_fault);
  EXPECT_THROW((void)z.to_host(), device_fault);
  EXPECT_THROW(placed_quotients(z.partition({2, 1}), rows, list({1, 1, 1, 1})).sync(), device_fault);
}

// ---- On a debug device ---------------------------------------------------------------------------------------------
TEST(DebugRows, ThatNoIndexNamesWereNotWritten) {
  const Device device = debug_device();
  auto z = device.empty<i32>({4, 1});
  const std::vector<i32> list = {3, 0, 1};
  const auto rows = unique_indices(device.from_host(list, {3}).share(), 4);
  placed(z.partition({2, 1}), rows, device.iota<i32>({3, 1}).share()).sync();
  EXPECT_TRUE(take_debug_report(device).findings.empty());
  auto y = device.zeros<i32>({3, 1});
  placed(y.partition({2, 1}), unique_indices(device.from_host<i32>({0, 1, 2}, {3}).share(), 3),
         z.slice(0, 0, 3).borrow())
      .sync();
  const debug_report told = take_debug_report(device);
  ASSERT_EQ(told.findings.size(), 1u) << to_text(told);
  EXPECT_EQ(told.findings[0].what, debug_fault::uninitialised);
  EXPECT_EQ(told.findings[0].element, (std::vector<index_t>{2, 0}));
}

}  // namespace
}  // namespace tilewright::test
