// SPDX-License-Identifier: Apache-2.0
// A GPU and the process that uses it: its end, its forks, several GPUs. Only on a machine that has them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (cuda_device_count() == 0) GTEST_SKIP() << "no GPU";
    testing::GTEST_FLAG(death_test_style) = "threadsafe";  // a new process, not a fork of this one
  }
};
using OnAGpuDeathTest = OnAGpu;

void leave_work_in_flight() {
  auto prepared = prepare(increment(cuda_device().zeros<f32>({16}).partition({16})));
  for (int i = 0; i < 10'000; ++i) prepared.enqueue();
  static auto kept = std::move(prepared);  // destroyed while the process ends
}

TEST_F(OnAGpuDeathTest, WorkInFlightDoesNotKeepAProcessFromEnding) {
  EXPECT_EXIT((leave_work_in_flight(), std::exit(0)), testing::ExitedWithCode(0), "");
}

// A kernel follows an address that is none. Ends the process with 0 if each use after that says so.
void lose_the_context() {
  const Device gpu = cuda_device();
  const Tensor<f32> good = gpu.zeros<f32>({16});
  Tensor<f32> bad = gpu.zeros<f32>({16});
  detail::storage* memory = detail::access::memory(bad);
  // SAFETY: only the GPU follows it; the true address comes back before the tensor is freed.
  std::byte* address = std::exchange(memory->address, reinterpret_cast<std::byte*>(0x1000));
  int said = 0;
  const auto expect_lost = [&](auto use) {
    try {
      use();
    } catch (const driver_error& error) {
      if (error.parts().what == "the GPU's context is lost") ++said;
    }
  };
  for (int i = 0; i < 3; ++i) expect_lost([&] { increment(bad.partition({16})).sync(); });
  memory->address = address;
  expect_lost([&] { (void)good.to_host(); });
  expect_lost([&] { gpu.synchronize(); });
  std::exit(said == 5 ? 0 : 1);
}

TEST_F(OnAGpuDeathTest, ALostContextIsSaidAtEveryUseAndTheProcessEnds) {
  EXPECT_EXIT(lose_the_context(), testing::ExitedWithCode(0), "");
}

TEST_F(OnAGpu, AForkedChildIsRefusedAndEnds) {
  (void)increment(cuda_device().zeros<f32>({16}).partition({16})).sync();
  const pid_t child = fork();
  if (child == 0) {
    try {
      (void)cuda_device();
    } catch (const usage_error& error) {
      std::exit(error.parts().what == "a device does not survive a fork" ? 0 : 2);
    }
    std::exit(1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << status;
  EXPECT_EQ(WEXITSTATUS(status), 0);
  auto [z] = increment(cuda_device().zeros<f32>({16}).partition({16})).sync();
  EXPECT_EQ(z.to_host(), std::vector<f32>(16, 1.0f)) << "the parent goes on";
}

TEST_F(OnAGpu, EachIndexIsOneDevice) {
  for (int i = 0; i < cuda_device_count(); ++i) {
    EXPECT_EQ(cuda_device(i), cuda_device(i));
    EXPECT_EQ(std::string(cuda_device(i).name()).rfind("cuda:" + std::to_string(i) + " (", 0), 0u);
  }
  EXPECT_THROW((void)cuda_device(cuda_device_count()), usage_error);
  EXPECT_THROW((void)cuda_device(-1), usage_error);
}

TEST_F(OnAGpu, SeveralWorkAtOnceAndDoNotMix) {
  if (cuda_device_count() < 2) GTEST_SKIP() << "one GPU";
  const Device first = cuda_device(0), second = cuda_device(1);
  auto on_first = prepare(increment(first.zeros<f32>({16}).partition({16})));
  auto on_second = prepare(increment(second.zeros<f32>({16}).partition({16})));
  for (int i = 0; i < 100; ++i) {
    on_first.enqueue();
    on_second.enqueue();
  }
  EXPECT_EQ(std::get<0>(std::move(on_first).finish()).to_host(), std::vector<f32>(16, 100.0f));
  const Shared<f32> there = std::get<0>(std::move(on_second).finish()).share();
  EXPECT_EQ(there.to_host(), std::vector<f32>(16, 100.0f));
  EXPECT_THROW((void)add_one(first.empty<f32>({16}).partition({16}), there).sync(), usage_error);
  EXPECT_EQ(first.from_host(there.to_host(), {16}).to_host(), there.to_host());
}

}  // namespace
}  // namespace tilewright::test
