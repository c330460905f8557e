// SPDX-License-Identifier: Apache-2.0
// A device that is not there takes ordinary host code, checks and compiles its launches, and has no values.
#include "tilewright/runtime/offline.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "runtime/image_cache.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/graph.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

using compiler::target;

TEST(OfflineDevice, IsOneForEachTarget) {
  EXPECT_TRUE(offline_device(target::sm_90) == offline_device(target::sm_90));
  EXPECT_FALSE(offline_device(target::sm_90) == offline_device(target::sm_80));
  EXPECT_STREQ(offline_device(target::sm_120).name(), "offline sm_120");
}

TEST(OfflineDevice, CompilesLaunchesAndRunsNone) {
  if (!compiler::has_cpu_target()) GTEST_SKIP() << "built without LLVM";
  const Device offline = offline_device(target::cpu);
  const auto before = runtime::image_cache::shared().statistics();
  auto z = offline.full<f32>({77}, 3.0f);
  add(z.partition({19}), offline.iota<f32>({77}).share(), offline.zeros<f32>({77}).share()).sync();
  const auto after = runtime::image_cache::shared().statistics();
  EXPECT_EQ(after.emitted + after.loaded, before.emitted + before.loaded + 1);
  EXPECT_EQ(z.to_host(), std::vector<f32>(77, 0.0f));
}

TEST(OfflineDevice, RefusesWhatARealOneRefuses) {
  const Device offline = offline_device(target::interp);
  auto z = offline.zeros<f32>({8});
  const auto x = offline.zeros<f32>({3}).share();
  EXPECT_THROW(add(z.partition({4}), x, x).sync(), usage_error);
  const auto elsewhere = interp_device().zeros<f32>({8}).share();
  EXPECT_THROW(add(z.partition({4}), elsewhere, elsewhere).sync(), usage_error);
}

TEST(OfflineDevice, HasAllWaysToRun) {
  const Device offline = offline_device(target::interp);
  const auto x = offline.zeros<f32>({8}).share();
  auto given = add(offline.zeros<f32>({8}).partition({4}), x, x).start().wait();
  auto prepared = prepare(add(std::move(std::get<0>(given)).partition({4}), x, x));
  prepared.enqueue();
  prepared.sync();
  EXPECT_EQ(std::get<0>(std::move(prepared).finish()).to_host(), std::vector<f32>(8, 0.0f));
  offline.synchronize();
}

TEST(OfflineDevice, TakesGraphs) {
  const Device offline = offline_device(target::interp);
  const auto x = offline.zeros<f32>({8}).share();
  auto z = offline.zeros<f32>({8});
  Graph graph = capture(offline, [&] {
    add(z.partition({4}), x, x).sync();
    increment(z.partition({8})).sync();
  });
  graph.sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(8, 0.0f));
}

// A model larger than this machine has addresses there, because nothing touches them.
TEST(OfflineDevice, HoldsTensorsThatWouldFillTheMemory) {
  const Device offline = offline_device(target::sm_90);
  constexpr index_t size = index_t{1} << 31;
  auto weights = offline.full<f32>({size}, 1.0f);
  auto drawn = offline.randn<f32>({size / 16});
  EXPECT_EQ(offline.memory().in_use_bytes, 4 * static_cast<std::size_t>(size + size / 16));
  EXPECT_EQ(std::move(weights).share().slice(0, size - 2, size).to_host(), std::vector<f32>(2, 0.0f));
  offline.release_cached_memory();
}

}  // namespace
}  // namespace tilewright::test
