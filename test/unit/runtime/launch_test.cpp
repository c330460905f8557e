// SPDX-License-Identifier: Apache-2.0
// Launches: what comes back, what is refused before anything runs.
#include <gtest/gtest.h>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = interp_device();

TEST(Launch, LendsTheOutputForOneExpression) {
  const auto x = host.full<f32>({1000}, 1.5f).share();
  const auto y = host.iota<f32>({1000}).share();
  auto z = host.zeros<f32>({1000});
  add(z.partition({128}), x, y).sync();
  EXPECT_EQ(z.to_host(), counted(1000, 1.5f));
}

TEST(Launch, GivesArgumentsBackInOrder) {
  auto x = host.full<f32>({8}, 1.0f).share();
  auto z = host.zeros<f32>({8});
  auto given = add(std::move(z).partition({3}), host.iota<f32>({8}), x).sync();
  static_assert(std::is_same_v<decltype(given), std::tuple<Tensor<f32>, Tensor<f32>, Shared<f32>>>);
  EXPECT_EQ(std::get<0>(given).to_host(), counted(8, 1.0f));
  EXPECT_EQ(std::get<1>(given).to_host(), counted(8));
  EXPECT_EQ(std::get<2>(given).to_host(), std::vector<f32>(8, 1.0f));
}

TEST(Launch, GivesNothingBackForScalarsAndLoans) {
  auto x = host.iota<f32>({5});
  auto given = scale(host.zeros<f32>({5}).partition({2}), 2.0f, x.borrow()).sync();
  static_assert(std::is_same_v<decltype(given), std::tuple<Tensor<f32>>>);
  EXPECT_EQ(std::get<0>(given).to_host(), (std::vector<f32>{0, 2, 4, 6, 8}));
}

TEST(Launch, WritesSeveralOutputsAndUpdatesInPlace) {
  const auto x = host.iota<f32>({5}).share();
  auto [sum, difference, x2, y2] =
      sum_and_difference(host.zeros<f32>({5}).partition({2}), host.zeros<f32>({5}).partition({2}), x, x).sync();
  EXPECT_EQ(sum.to_host(), (std::vector<f32>{0, 2, 4, 6, 8}));
  EXPECT_EQ(difference.to_host(), std::vector<f32>(5, 0.0f));
  increment(sum.partition({5})).sync();
  EXPECT_EQ(sum.to_host(), (std::vector<f32>{1, 3, 5, 7, 9}));
}

TEST(Launch, OfNoElementsRunsNoBlock) {
  auto z = host.zeros<f32>({0});
  const auto x = host.zeros<f32>({0}).share();
  add(z.partition({4}), x, x).sync();
  EXPECT_TRUE(z.to_host().empty());
}

TEST(Launch, OfRankZeroRunsOneBlock) {
  auto z = host.full<f32>({}, 4.0f);
  increment_scalar(z.partition({})).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>{5.0f});
}

TEST(Launch, BorrowsAShared) {
  auto z = host.zeros<f32>({4});
  const auto x = host.iota<f32>({4}).share();
  add(z.partition({4}), x.borrow(), x).sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{0, 2, 4, 6}));
}

// ---- Refusals ------------------------------------------------------------------------------------------------------
TEST(LaunchRefuses, ArgumentsOnDifferentDevices) {
  const auto x = cpu_device().zeros<f32>({4}).share();
  const report parts = usage_of([&] { add_one(host.zeros<f32>({4}).partition({4}), x).discard(); });
  EXPECT_EQ(parts.what, "arguments lie on different devices");
  EXPECT_EQ(parts.where, "kernel 'add_one', parameter 1");
  EXPECT_EQ(parts.expected, "interp");
  EXPECT_EQ(parts.got, "cpu");
}

TEST(LaunchRefuses, TensorsOfAnotherRank) {
  const auto x = host.zeros<f32>({2, 2}).share();
  EXPECT_EQ(usage_of([&] { add_one(host.zeros<f32>({4}).partition({4}), x).discard(); }).got, "rank 2");
}

TEST(LaunchRefuses, PiecesThatDoNotFit) {
  for (const Shape& piece : {Shape{2, 2}, Shape{0}, Shape{-1}, Shape()}) {
    EXPECT_EQ(
        usage_of([&] { add_one(host.zeros<f32>({4}).partition(piece), host.zeros<f32>({4}).share()).discard(); }).what,
        "a partition does not fit its tensor")
        << to_text(piece);
  }
}

TEST(LaunchRefuses, AnInputThatTheBlocksOverrun) {
  auto z = host.zeros<f32>({1000});
  const auto x = host.zeros<f32>({500}).share();
  EXPECT_THROW(add_one(host.zeros<f32>({1000}).partition({128}), x).discard(), usage_error);
  EXPECT_THROW(add_one(z.partition({128}), x).sync(), usage_error);
  add_one(z.slice(0, 0, 500).partition({128}), x).sync();
}

TEST(LaunchRefuses, ADimWithTwoValues) {
  const auto x = host.zeros<f32>({8}).share(), y = host.zeros<f32>({9}).share();
  EXPECT_THROW(
      sum_and_difference(host.zeros<f32>({8}).partition({4}), host.zeros<f32>({8}).partition({4}), x, y).discard(),
      usage_error);
  EXPECT_THROW(add_one.with(B = 64)(host.zeros<f32>({8}).partition({4}), x).discard(), usage_error);
}

TEST(LaunchRefuses, OutputsWithDifferentGrids) {
  const auto x = host.zeros<f32>({8}).share();
  EXPECT_EQ(
      usage_of([&] {
        sum_and_difference(host.zeros<f32>({8}).partition({4}), host.zeros<f32>({12}).partition({4}), x, x).discard();
      }).what,
      "outputs have different numbers of pieces");
}

}  // namespace
}  // namespace tilewright::test
