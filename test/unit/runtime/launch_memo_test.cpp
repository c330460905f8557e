// SPDX-License-Identifier: Apache-2.0
// What a thread remembers of its launches: only one that cannot come to anything else is taken for the same.
#include "runtime/launch_memo.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tilewright/compiler/gpu_image.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

using compiler::argument;

// One launch of add_one, and what to say of it differently.
struct question {
  const ast::module_view* module = add_one.reference().module;
  dim_bindings with{}, defaults{};
  tilewright::schedule schedule{};
  const detail::device_engine* device = &interp_device().engine();
  std::vector<argument> values{2};

  question() {
    with.set({Dim("B"), 8});
    for (argument& value : values) {
      value.address = std::bit_cast<const void*>(std::uintptr_t{0x1000});
      value.rank = 2;
      value.extents = {6, 40};
      value.strides = {40, 1};
    }
    values[0].piece = {2, 8};
    values[1].scalar = 7;
  }
  detail::kernel_description kernel() const { return {module, &with, &defaults, &schedule}; }
  const detail::bound_launch* find(const detail::launch_memo& memo) const {
    return memo.find(*device, kernel(), values);
  }
  void move_to(std::uintptr_t address) { values[1].address = std::bit_cast<const void*>(address); }
};

class LaunchMemo : public testing::Test {
 protected:
  LaunchMemo() { memo.keep(*asked.device, asked.kernel(), asked.values, {&kernel, {3, 5}, 15}); }

  const runtime::compiled_kernel kernel{};
  detail::launch_memo memo;
  question asked;
};

TEST_F(LaunchMemo, KnowsALaunchWhereverItsTensorsLie) {
  asked.move_to(0x7700'0000'2080);
  const detail::bound_launch* found = asked.find(memo);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->kernel, &kernel);
  EXPECT_EQ(found->grid, (std::vector<index_t>{3, 5}));
  EXPECT_EQ(found->blocks, 15);
}

TEST_F(LaunchMemo, KnowsNoneThatDiffersInWhatDecides) {
  const std::vector<std::pair<std::string, std::function<void(question&)>>> changes = {
      {"module", [](question& other) { other.module = increment.reference().module; }},
      {"device", [](question& other) { other.device = &cpu_device().engine(); }},
      {"with",
       [](question& other) {
         other.with.set({Dim("B"), 16});
       }},
      {"more of with",
       [](question& other) {
         other.with.set({Dim("N"), 8});
       }},
      {"defaults",
       [](question& other) {
         other.defaults.set({Dim("B"), 8});
       }},
      {"schedule", [](question& other) { other.schedule.all.latency = 3; }},
      {"alignment", [](question& other) { other.move_to(0x1040); }},
      {"rank", [](question& other) { other.values[1].rank = 1; }},
      {"extent", [](question& other) { other.values[1].extents[1] = 41; }},
      {"stride", [](question& other) { other.values[1].strides[0] = 48; }},
      {"piece", [](question& other) { other.values[0].piece[0] = 3; }},
      {"scalar", [](question& other) { other.values[1].scalar = 8; }},
      {"fewer arguments", [](question& other) { other.values.pop_back(); }}};
  for (const auto& [what, change] : changes) {
    question other;
    change(other);
    EXPECT_EQ(other.find(memo), nullptr) << what;
  }
  EXPECT_NE(asked.find(memo), nullptr);
}

TEST_F(LaunchMemo, KnowsNoImageWithoutChecksWhereTheyAreWanted) {
  const compiler::gpu_options before = compiler::current_gpu_options();
  compiler::gpu_options checked = before;
  checked.memcheck = !before.memcheck;
  compiler::set_gpu_options(checked);
  EXPECT_EQ(asked.find(memo), nullptr);
  compiler::set_gpu_options(before);
  EXPECT_NE(asked.find(memo), nullptr);
}

TEST_F(LaunchMemo, KeepsTheLastOfThoseThatTakeOnePlace) {
  question other;
  other.values[1].scalar = 8;  // does not choose the place
  memo.keep(*other.device, other.kernel(), other.values, {&kernel, {1}, 1});
  EXPECT_EQ(asked.find(memo), nullptr);
  ASSERT_NE(other.find(memo), nullptr);
  EXPECT_EQ(other.find(memo)->blocks, 1);
}

TEST_F(LaunchMemo, IsAThreadsOwn) {
  const detail::launch_memo* here = detail::launch_memo::of_thread();
  std::thread([&] { EXPECT_NE(detail::launch_memo::of_thread(), here); }).join();
  EXPECT_EQ(detail::launch_memo::of_thread(), here);
}

// An object of the thread that is older than the memo, and looks for it in its destructor.
TEST_F(LaunchMemo, IsNotFoundAnyMoreWhenItsThreadEnds) {
  static const detail::launch_memo* found = nullptr;
  std::thread([] {
    thread_local const struct older {
      ~older() { found = detail::launch_memo::of_thread(); }
    } object;
    (void)object;
    found = detail::launch_memo::of_thread();
    EXPECT_NE(found, nullptr);
  }).join();
  EXPECT_EQ(found, nullptr);
}

// Through launches: shapes, schedules and scalars by turns, each checked by its values.
TEST_F(LaunchMemo, LetsLaunchesTakeTurns) {
  const Device device = interp_device();
  for (int turn = 0; turn < 3; ++turn) {
    for (const index_t extent : {1, 7, 64}) {
      for (const float factor : {0.5f, 2.0f}) {
        const Shared<f32> x = device.full<f32>({extent}, 3.0f).share();
        const index_t piece = std::min<index_t>(extent, 7 + turn);
        auto [z, same] = scale(device.empty<f32>({extent}).partition({piece}), factor, x).sync();
        EXPECT_EQ(z.to_host(), std::vector<f32>(static_cast<std::size_t>(extent), 3.0f * factor));
      }
    }
  }
}

}  // namespace
}  // namespace tilewright::test
