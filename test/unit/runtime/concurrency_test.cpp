// SPDX-License-Identifier: Apache-2.0
// Many threads, streams and launches in flight at once give what one after the other would give. Run under
// ThreadSanitizer, these tests also show that nothing is shared without an order.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <optional>
#include <ostream>
#include <thread>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace tilewright {
namespace {

inline constexpr Dim B{"B"};
inline constexpr auto add =
    kernel<"add">([](Out<f32, B> z, In<f32, dyn> x, In<f32, dyn> y) { z.store(load_like(x, z) + load_like(y, z)); });
inline constexpr auto add_to =
    kernel<"add_to">([](InOut<f32, B> z, In<f32, dyn> x) { z.store(z.load() + load_like(x, z)); });

constexpr index_t size = 3000;

// Each run compiles its kernels: threads that meet there are part of these tests.
const int without_stored_images = ::setenv("TILEWRIGHT_CACHE_DIR", "off", 1);

struct named_device {
  const char* name;
  Device (*get)();
};
void PrintTo(const named_device& printed, std::ostream* out) { *out << printed.name; }

class OnDevice : public testing::TestWithParam<named_device> {
 protected:
  const Device device = GetParam().get();
};
INSTANTIATE_TEST_SUITE_P(Concurrency, OnDevice,
                         testing::Values(named_device{"interp", interp_device}, named_device{"cpu", cpu_device}),
                         testing::PrintToStringParamName());

template <class Function>
void on_threads(int count, Function run) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&run, t] { run(t); });
  for (std::thread& thread : threads) thread.join();
}

void expect_all(const Tensor<f32>& tensor, f32 value) {
  for (const f32 element : tensor.to_host()) ASSERT_EQ(element, value);
}

TEST_P(OnDevice, ThreadsLaunchOnStreamsOfTheirOwn) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  on_threads(4, [&](int t) {
    Tensor<f32> sum = device.zeros<f32>({size});
    for (int i = 0; i < 50; ++i) {
      auto [next, same] = add_to(std::move(sum).partition({t % 2 == 0 ? 128 : 64}), one).sync();
      sum = std::move(next);
    }
    expect_all(sum, 50.0f);
  });
}

TEST_P(OnDevice, ThreadsShareOneStream) {
  const Stream stream = device.new_stream();
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  on_threads(4, [&](int t) {
    Tensor<f32> sum = device.full<f32>({size}, static_cast<f32>(t));
    for (int i = 0; i < 50; ++i) {
      auto [next, same] = add_to(std::move(sum).partition({128}), one).sync_on(stream);
      sum = std::move(next);
    }
    expect_all(sum, static_cast<f32>(50 + t));
  });
}

TEST_P(OnDevice, ATensorGoesFromStreamToStreamWithItsWork) {
  const Stream streams[] = {device.new_stream(), device.new_stream(), device.new_stream()};
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  Tensor<f32> sum = device.zeros<f32>({size});
  for (int i = 0; i < 90; ++i) {
    auto flying = add_to(std::move(sum).partition({128}), one).start_on(streams[i % 3]);
    auto [next, same] = std::move(flying).wait();
    sum = std::move(next);
  }
  expect_all(sum, 90.0f);
}

TEST_P(OnDevice, ManyLaunchesFlyAtOnceAndAreWaitedForInAnyOrder) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  const Stream streams[] = {device.new_stream(), device.new_stream()};
  using result = decltype(add(device.zeros<f32>({1}).partition({1}), one, one).start());
  std::vector<result> flying;
  for (int i = 0; i < 40; ++i) {
    flying.push_back(add(device.zeros<f32>({size}).partition({128}), one, one).start_on(streams[i % 2]));
  }
  while (!flying.empty()) {
    auto [sum, x, y] = std::move(flying.back()).wait();
    flying.pop_back();
    expect_all(sum, 2.0f);
  }
}

TEST_P(OnDevice, AnotherThreadWaitsForWhatThisOneStarted) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  for (int i = 0; i < 20; ++i) {
    auto flying = add(device.zeros<f32>({size}).partition({128}), one, one).start();
    std::thread([mine = std::move(flying)]() mutable {
      auto [sum, x, y] = std::move(mine).wait();
      expect_all(sum, 2.0f);
    }).join();
  }
}

TEST_P(OnDevice, WhatIsDetachedFinishesAndFreesItsMemory) {
  device.synchronize();
  const std::size_t before = device.memory().in_use_bytes;
  {
    const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
    for (int i = 0; i < 100; ++i) add(device.zeros<f32>({size}).partition({128}), one, one).start().detach();
  }
  device.synchronize();
  EXPECT_EQ(device.memory().in_use_bytes, before);
}

TEST_P(OnDevice, ChainsRunInOrderOnManyThreads) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  on_threads(4, [&](int) {
    for (int i = 0; i < 20; ++i) {
      auto flying = add_to(device.zeros<f32>({size}).partition({128}), one)
                        .then([](auto given) {
                          auto [sum, x] = std::move(given);
                          return add_to(std::move(sum).partition({128}), x);
                        })
                        .then([](auto given) {
                          auto [sum, x] = std::move(given);
                          return add_to(std::move(sum).partition({64}), x);
                        })
                        .start();
      auto [sum, x] = std::move(flying).wait();
      expect_all(sum, 3.0f);
    }
  });
}

TEST_P(OnDevice, ThreadsMeetAtKernelsThatAreNotCompiledYet) {
  std::atomic<int> ready{0};
  on_threads(6, [&](int t) {
    const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
    ++ready;
    while (ready < 6) std::this_thread::yield();
    for (int i = 0; i < 12; ++i) {
      const index_t piece = 1 + (i + t) % 12;
      auto [sum, x, y] = add(device.zeros<f32>({size}).partition({piece}), one, one).sync();
      expect_all(sum, 2.0f);
    }
  });
}

TEST_P(OnDevice, HandlesOfOneTensorComeAndGoOnManyThreads) {
  std::optional<Shared<f32>> shared = device.full<f32>({size}, 1.0f).share();
  const std::size_t with_it = device.memory().in_use_bytes;
  on_threads(4, [copy = *shared](int) {
    for (int i = 0; i < 2000; ++i) {
      const Shared<f32> here = copy;
      const Shared<f32> view = here.slice(0, i % 100, 200);
      if (view.shape()[0] != 200 - i % 100) std::abort();
    }
  });
  shared.reset();
  EXPECT_LT(device.memory().in_use_bytes, with_it);
}

TEST_P(OnDevice, PreparedLaunchesOfManyThreadsReadTheSameTensor) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  on_threads(3, [&](int) {
    auto prepared = prepare(add_to(device.zeros<f32>({size}).partition({128}), one));
    for (int i = 0; i < 100; ++i) {
      prepared.enqueue();
      if (i % 10 == 0) prepared.sync();
    }
    auto [sum, x] = std::move(prepared).finish();
    expect_all(sum, 110.0f);
  });
}

TEST_P(OnDevice, APreparedLaunchChangesItsStreamInOrder) {
  const Stream streams[] = {device.new_stream(), device.new_stream()};
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  auto prepared = prepare(add_to(device.zeros<f32>({size}).partition({128}), one));
  for (int i = 0; i < 200; ++i) prepared.enqueue_on(streams[i % 3 == 0 ? 1 : 0]);
  auto [sum, x] = std::move(prepared).finish();
  expect_all(sum, 200.0f);
}

TEST_P(OnDevice, SynchronizeWaitsForAllThreadsWork) {
  std::atomic<bool> is_over{false};
  std::thread waiting([&] {
    while (!is_over) device.synchronize();
  });
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  on_threads(3, [&](int) {
    for (int i = 0; i < 40; ++i) add(device.zeros<f32>({size}).partition({128}), one, one).start().detach();
  });
  is_over = true;
  waiting.join();
  device.synchronize();
  EXPECT_EQ(device.memory().in_use_bytes % 128, 0u);
}

}  // namespace
}  // namespace tilewright
