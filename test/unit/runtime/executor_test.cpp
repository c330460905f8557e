// SPDX-License-Identifier: Apache-2.0
// Every block runs exactly once, whatever the number of threads, callers and blocks.
#include "runtime/executor.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <set>
#include <thread>

#include "tilewright/base/error.hpp"
#include "unit/runtime/probe_image.hpp"

namespace tilewright::runtime {
namespace {

using test::probe_image;

constexpr std::array<std::int64_t, max_rank> grid = {1, 1, 1, 1, 1, 1};

// How often each block ran.
class tally {
 public:
  explicit tally(std::int64_t blocks)
      : blocks_(blocks), counts_(std::make_unique<std::atomic<std::uint8_t>[]>(static_cast<std::size_t>(blocks))) {}
  void add(std::int64_t block) { counts_[static_cast<std::size_t>(block)].fetch_add(1, std::memory_order_relaxed); }
  std::int64_t blocks_that_ran(int times) const {
    std::int64_t found = 0;
    for (std::int64_t n = 0; n < blocks_; ++n) found += counts_[static_cast<std::size_t>(n)].load() == times ? 1 : 0;
    return found;
  }

 private:
  std::int64_t blocks_;
  std::unique_ptr<std::atomic<std::uint8_t>[]> counts_;
};

class ExecutorOfThreads : public testing::TestWithParam<int> {
 protected:
  executor blocks_on_threads{GetParam()};

  void expect_each_runs_once(std::int64_t blocks) {
    tally ran(blocks);
    const probe_image image([&](std::int64_t block, std::byte*) { ran.add(block); });
    blocks_on_threads.run(image, nullptr, grid.data(), blocks);
    EXPECT_EQ(ran.blocks_that_ran(1), blocks);
  }
};

INSTANTIATE_TEST_SUITE_P(Executor, ExecutorOfThreads, testing::Values(1, 2, 5), testing::PrintToStringParamName());

TEST_P(ExecutorOfThreads, RunsNothingForNoBlocks) { expect_each_runs_once(0); }
TEST_P(ExecutorOfThreads, RunsOneBlock) { expect_each_runs_once(1); }
TEST_P(ExecutorOfThreads, RunsFewerBlocksThanThreads) { expect_each_runs_once(3); }
TEST_P(ExecutorOfThreads, RunsAnOddNumberOfBlocks) { expect_each_runs_once(1013); }
TEST_P(ExecutorOfThreads, RunsAMillionBlocks) { expect_each_runs_once(1'000'000); }

// The memory of each turn is written without atomics: ThreadSanitizer would see a second thread.
TEST_P(ExecutorOfThreads, RunsBlocksInTurnByOneThreadInTheirOrder) {
  for (const std::int64_t in_turn : {1, 2, 7, 250, 3500}) {
    std::vector<std::vector<std::int64_t>> turns(static_cast<std::size_t>(3500 / in_turn));
    const probe_image image(
        [&](std::int64_t block, std::byte*) { turns[static_cast<std::size_t>(block / in_turn)].push_back(block); });
    for (int round = 0; round < 20; ++round) {
      for (std::vector<std::int64_t>& turn : turns) turn.clear();
      blocks_on_threads.run(image, nullptr, grid.data(), 3500, nullptr, in_turn);
      std::int64_t next = 0;
      for (const std::vector<std::int64_t>& turn : turns) {
        for (const std::int64_t block : turn) ASSERT_EQ(block, next++) << in_turn;
      }
      ASSERT_EQ(next, 3500) << in_turn;
    }
  }
}

TEST_P(ExecutorOfThreads, RunsManyLaunchesBackToBack) {
  constexpr std::int64_t blocks = 16;
  constexpr int launches = 3000;
  std::array<std::atomic<int>, blocks> ran{};
  // Long enough for the launches to be shared, short enough for them to overlap with workers that come and go.
  const probe_image image([&](std::int64_t block, std::byte*) {
    for (int i = 0; i < 100; ++i) ran[static_cast<std::size_t>(block)].fetch_add(i == 0 ? 1 : 0);
  });
  for (int i = 0; i < launches; ++i) blocks_on_threads.run(image, nullptr, grid.data(), blocks);
  for (const std::atomic<int>& count : ran) EXPECT_EQ(count.load(), launches);
}

TEST_P(ExecutorOfThreads, ServesSeveralCallersAtOnce) {
  constexpr int callers = 4, launches = 200;
  std::atomic<std::int64_t> ran{0};
  const probe_image image([&](std::int64_t, std::byte*) { ran.fetch_add(1); });
  std::vector<std::thread> threads;
  for (int caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      for (int i = 0; i < launches; ++i) blocks_on_threads.run(image, nullptr, grid.data(), 100 * (caller + 1));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(ran.load(), launches * 100 * (1 + 2 + 3 + 4));
}

TEST_P(ExecutorOfThreads, WritesOfTheBlocksAreSeenByTheCaller) {
  std::vector<std::int64_t> written(10'000);  // no atomics: ThreadSanitizer would see a missing order
  const probe_image image([&](std::int64_t block, std::byte*) { written[static_cast<std::size_t>(block)] += block; });
  for (int i = 1; i <= 20; ++i) {
    blocks_on_threads.run(image, nullptr, grid.data(), 10'000);
    for (std::size_t n = 0; n < written.size(); ++n) ASSERT_EQ(written[n], i * static_cast<std::int64_t>(n));
  }
}

TEST_P(ExecutorOfThreads, GivesEachThreadScratchOfItsOwn) {
  constexpr std::size_t size = 4096 + 24;
  std::atomic<int> faults{0};
  const probe_image image(
      [&](std::int64_t block, std::byte* scratch) {
        if (reinterpret_cast<std::uintptr_t>(scratch) % 64 != 0) ++faults;
        std::memset(scratch, static_cast<int>(block % 251), size);
        for (std::size_t i = 0; i < size; ++i) {
          if (scratch[i] != static_cast<std::byte>(block % 251)) ++faults;
        }
      },
      size);
  blocks_on_threads.run(image, nullptr, grid.data(), 500);
  EXPECT_EQ(faults.load(), 0);
}

TEST(Executor, UsesTheSameScratchAgain) {
  executor alone(1);
  std::set<std::byte*> met;
  const probe_image image([&](std::int64_t, std::byte* scratch) { met.insert(scratch); }, 1000);
  for (int i = 0; i < 10; ++i) alone.run(image, nullptr, grid.data(), 4);
  EXPECT_EQ(met.size(), 1u);
}

TEST_P(ExecutorOfThreads, RefusesWhatDoesNotFitInMemoryBeforeAnyBlockRuns) {
  std::atomic<int> ran{0};
  const probe_image image([&](std::int64_t, std::byte*) { ++ran; }, std::numeric_limits<std::size_t>::max() / 4);
  EXPECT_THROW(blocks_on_threads.run(image, nullptr, grid.data(), 100), out_of_memory);
  EXPECT_EQ(ran.load(), 0);
  expect_each_runs_once(100);
}

TEST(Executor, HandsParametersAndGridToTheImage) {
  class watching_image final : public compiler::host_image {
   public:
    void run(const std::uint64_t* parameters, const std::int64_t* extents, std::int64_t first, std::int64_t last,
             std::byte*, compiler::fault_status*) const noexcept override {
      seen_parameters = parameters;
      seen_grid = extents;
      ran += last - first;
    }
    std::size_t scratch_bytes() const noexcept override { return 0; }
    const std::vector<std::byte>& object() const noexcept override { return nothing; }
    mutable std::atomic<const std::uint64_t*> seen_parameters{nullptr};
    mutable std::atomic<const std::int64_t*> seen_grid{nullptr};
    mutable std::atomic<std::int64_t> ran{0};
    std::vector<std::byte> nothing;
  };
  const watching_image image;
  const std::uint64_t words[2] = {1, 2};
  parallel_blocks(image, words, grid.data(), 12);
  EXPECT_EQ(image.seen_parameters.load(), words);
  EXPECT_EQ(image.seen_grid.load(), grid.data());
  EXPECT_EQ(image.ran.load(), 12);
}

// ---- Number of threads ---------------------------------------------------------------------------------------------
int threads_with(const char* value) {
  ::setenv("TILEWRIGHT_THREADS", value, 1);
  struct restored {
    ~restored() { ::unsetenv("TILEWRIGHT_THREADS"); }
  } const at_exit;
  return configured_threads();
}

TEST(ConfiguredThreads, AreAllCoresOfTheProcessUnlessSet) {
  cpu_set_t allowed;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  ::unsetenv("TILEWRIGHT_THREADS");
  EXPECT_EQ(configured_threads(), CPU_COUNT(&allowed));
  EXPECT_EQ(threads_with(""), CPU_COUNT(&allowed));
}

TEST(ConfiguredThreads, FollowTheEnvironment) {
  EXPECT_EQ(threads_with("1"), 1);
  EXPECT_EQ(threads_with("7"), 7);
  EXPECT_EQ(threads_with("1024"), 1024);
}

class BadThreadCount : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(ConfiguredThreads, BadThreadCount,
                         testing::Values("0", "-1", "two", "2x", " 2", "1025", "99999999999999999999"));

TEST_P(BadThreadCount, IsAUsageErrorThatNamesTheVariable) {
  try {
    threads_with(GetParam());
    FAIL() << "not refused";
  } catch (const usage_error& refusal) {
    EXPECT_EQ(refusal.parts().where, "environment variable TILEWRIGHT_THREADS");
    EXPECT_EQ(refusal.parts().got, "'" + std::string(GetParam()) + "'");
    EXPECT_FALSE(refusal.parts().fix.empty());
  }
}

}  // namespace
}  // namespace tilewright::runtime
