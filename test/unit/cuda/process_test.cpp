// SPDX-License-Identifier: Apache-2.0
// A GPU and the process that uses it: its end, its forks, several GPUs. Only on a machine that has them.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "runtime/cuda/driver.hpp"
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

// A context of somebody else on the same GPU, current on this thread as long as it lives.
class other_context {
 public:
  other_context() {
    const cuda::driver_table& driver = cuda::loaded_driver();
    cuda::device_number device = 0;
    cuda::call(driver, driver.device_get, &device, 0);
    EXPECT_EQ(entry<cuda::result(cuda::context_handle*, unsigned, cuda::device_number)>("cuCtxCreate_v2")(&handle_, 0,
                                                                                                          device),
              cuda::result::success);
  }
  other_context(const other_context&) = delete;
  other_context& operator=(const other_context&) = delete;
  ~other_context() {
    EXPECT_EQ(entry<cuda::result(cuda::context_handle)>("cuCtxDestroy_v2")(handle_), cuda::result::success);
  }

  bool is_current() const {
    cuda::context_handle current = nullptr;
    const cuda::driver_table& driver = cuda::loaded_driver();
    cuda::call(driver, driver.context_current, &current);
    return current == handle_;
  }

 private:
  template <class Function>
  static Function* entry(const char* name) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    // SAFETY: the names and types are those of the driver's C interface.
    return reinterpret_cast<Function*>(dlsym(library, name));
  }

  cuda::context_handle handle_ = nullptr;
};

TEST_F(OnAGpu, AThreadWithAnotherContextLaunchesAllTheSame) {
  const Device gpu = cuda_device();
  auto prepared = prepare(increment(gpu.zeros<f32>({16}).partition({16})));
  auto recorded = gpu.zeros<f32>({16});
  Graph graph = capture(gpu, [&] { increment(recorded.partition({16})).sync(); });
  const other_context theirs;
  for (int i = 0; i < 3; ++i) {
    prepared.enqueue();
    graph.enqueue();
  }
  auto [plain] = increment(gpu.zeros<f32>({16}).partition({16})).sync();
  EXPECT_EQ(plain.to_host(), std::vector<f32>(16, 1.0f));
  EXPECT_EQ(std::get<0>(std::move(prepared).finish()).to_host(), std::vector<f32>(16, 3.0f));
  EXPECT_EQ(recorded.to_host(), std::vector<f32>(16, 3.0f));
  EXPECT_TRUE(theirs.is_current()) << "the thread is left as it was";
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
