// SPDX-License-Identifier: Apache-2.0
#include "harness/threads.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "peers/parallel_loop.hpp"

namespace tilewright::bench {
namespace {

TEST(PinnedThreads, EachRunsTheWorkOnceEveryTime) {
  PinnedThreads threads(3);
  std::vector<int> calls(3, 0);
  for (int round = 0; round < 1000; ++round) {
    threads.run([&](int thread) { ++calls[static_cast<std::size_t>(thread)]; });
  }
  EXPECT_EQ(calls, (std::vector<int>{1000, 1000, 1000}));
}

TEST(PinnedThreads, AreAsManyAsTheCoresOfThisProcess) { EXPECT_GE(PinnedThreads().count(), 1); }

TEST(ParallelLoop, CoversEveryElementOnce) {
  PinnedThreads threads(3);
  for (const std::size_t count : {0u, 1u, 1023u, 1024u, 5000u, 12288u}) {
    std::vector<int> seen(count, 0);
    parallel_loop(threads, count, [&](std::size_t first, std::size_t part) {
      for (std::size_t i = first; i < first + part; ++i) ++seen[i];
    });
    EXPECT_EQ(seen, std::vector<int>(count, 1));
  }
}

}  // namespace
}  // namespace tilewright::bench
