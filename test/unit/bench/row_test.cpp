// SPDX-License-Identifier: Apache-2.0
#include "harness/row.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tilewright::bench {
namespace {

TEST(Quantile, LiesBetweenNeighbours) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_EQ(quantile({10, 20, 30, 40, 50}, 0.25), 20);
  EXPECT_EQ(quantile({7}, 0.9), 7);
}

TEST(Quantile, OfNothingIsNotANumber) { EXPECT_TRUE(std::isnan(median({}))); }

TEST(PairedRatio, IsAboveOneWhenThePeerTakesLonger) { EXPECT_EQ(paired_ratio({{1, 1, 1}, {2, 2, 2}}), 2); }

TEST(PairedRatio, IgnoresADisturbanceThatBothOfAPairSaw) {
  EXPECT_EQ(paired_ratio({{1, 100, 1, 1}, {2, 200, 2, 2}}), 2);
}

TEST(PairedRatio, ComparesPairsNotMedians) {
  // The medians alone (2 and 3) would say 1.5.
  EXPECT_EQ(paired_ratio({{1, 2, 3}, {3, 2, 9}}), 3);
}

row rate_row() {
  row result;
  result.unit = gigabytes_per_second;
  set_times(result, 2e9, {{0.1, 0.2, 0.4}, {0.1, 0.1, 0.1}});
  return result;
}

TEST(Row, OfARateDividesWorkByTheMedianTime) {
  const row result = rate_row();
  EXPECT_DOUBLE_EQ(result.ours, 10.0);
  EXPECT_DOUBLE_EQ(*result.peer, 20.0);
  EXPECT_DOUBLE_EQ(*result.ratio, 0.5);
  EXPECT_EQ(result.repeats, 3);
}

TEST(Row, OfATimeShowsTheTimeAndStillHasARatioAboveOneWhenWeAreFaster) {
  row result;
  result.unit = milliseconds;
  set_times(result, 1.0, {{0.001}, {0.004}});
  EXPECT_DOUBLE_EQ(result.ours, 1.0);
  EXPECT_DOUBLE_EQ(*result.peer, 4.0);
  EXPECT_DOUBLE_EQ(*result.ratio, 4.0);
}

TEST(Row, WithoutPeerHasNoRatio) {
  row result;
  set_times(result, 1e9, {{1.0}, {}});
  EXPECT_FALSE(result.peer.has_value());
  EXPECT_FALSE(result.ratio.has_value());
}

TEST(PercentOfLimit, IsHundredAtTheLimitForRatesAndTimes) {
  row result = rate_row();
  EXPECT_FALSE(percent_of_limit(result).has_value());
  result.roof = {10.0, "copy"};
  EXPECT_DOUBLE_EQ(*percent_of_limit(result), 100.0);
  result.roof = {40.0, "copy"};
  EXPECT_DOUBLE_EQ(*percent_of_limit(result), 25.0);
  result.unit = milliseconds;
  result.ours = 8.0;
  result.roof = {2.0, "copy"};
  EXPECT_DOUBLE_EQ(*percent_of_limit(result), 25.0);
}

TEST(Bar, OnARatioIsMetFromItsValueOn) {
  row result = rate_row();
  result.bar = at_least(0.5);
  EXPECT_EQ(judge(result), verdict::met);
  result.bar = at_least(0.51);
  EXPECT_EQ(judge(result), verdict::missed);
}

TEST(Bar, OnARatioIsNotShownWithoutAPeer) {
  row result;
  set_times(result, 1e9, {{1.0}, {}});
  result.bar = at_least(0.5);
  EXPECT_EQ(judge(result), verdict::not_shown);
}

TEST(Bar, OnAValueIsMetBelowIt) {
  row result;
  result.unit = milliseconds;
  result.bar = below(2.0);
  result.ours = 1.99;
  EXPECT_EQ(judge(result), verdict::met);
  result.ours = 2.0;
  EXPECT_EQ(judge(result), verdict::missed);
  result.ours = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(judge(result), verdict::missed);
}

TEST(Bar, IsOptional) { EXPECT_EQ(judge(rate_row()), verdict::none); }

TEST(Row, IsWrongBeyondItsBoundOrWithNan) {
  row result = rate_row();
  EXPECT_TRUE(is_right(result));
  result.error = {1e-6, 1e-6};
  EXPECT_TRUE(is_right(result));
  result.error = {2e-6, 1e-6};
  EXPECT_FALSE(is_right(result));
  result.error = {std::numeric_limits<double>::quiet_NaN(), 1e-6};
  EXPECT_FALSE(is_right(result));
}

}  // namespace
}  // namespace tilewright::bench
