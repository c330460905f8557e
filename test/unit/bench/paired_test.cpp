// SPDX-License-Identifier: Apache-2.0
#include "harness/paired.hpp"

#include <gtest/gtest.h>

#include <string>

namespace tilewright::bench {
namespace {

struct recorder {
  std::string order;
  timed_work side(char name, double seconds) {
    return [this, name, seconds] {
      order += name;
      return seconds;
    };
  }
};

TEST(MeasurePaired, AlternatesWhoGoesFirst) {
  recorder calls;
  const auto times = measure_paired(calls.side('o', 1), calls.side('p', 2), {.repeats = 3, .warm_before_each = false});
  EXPECT_EQ(calls.order,
            "op"
            "op"
            "po"
            "op");  // one untimed round, then three pairs
  EXPECT_EQ(times.ours, (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(times.peer, (std::vector<double>{2, 2, 2}));
}

TEST(MeasurePaired, WarmsEachSideBeforeEachRepeatWhenAsked) {
  recorder calls;
  measure_paired(calls.side('o', 1), calls.side('p', 2), {.repeats = 2});
  EXPECT_EQ(calls.order,
            "oopp"
            "ppoo");
}

TEST(MeasurePaired, TakesOursAloneWithoutPeer) {
  recorder calls;
  const auto times = measure_paired(calls.side('o', 1), nullptr, {.repeats = 2});
  EXPECT_EQ(times.ours.size(), 2u);
  EXPECT_TRUE(times.peer.empty());
}

TEST(MeasurePaired, StopsAfterThreePairsWhenItsTimeIsUp) {
  recorder calls;
  const auto times = measure_paired(calls.side('o', 1), calls.side('p', 2), {.repeats = 1000, .most_seconds = 0.0});
  EXPECT_EQ(times.ours.size(), 3u);
  EXPECT_EQ(times.peer.size(), 3u);
}

TEST(Timed, DividesByTheNumberOfCalls) {
  int calls = 0;
  const double seconds = timed([&] { ++calls; }, 10)();
  EXPECT_EQ(calls, 10);
  EXPECT_GE(seconds, 0.0);
  EXPECT_LT(seconds, 1.0);
}

}  // namespace
}  // namespace tilewright::bench
