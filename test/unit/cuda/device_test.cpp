// SPDX-License-Identifier: Apache-2.0
// A CUDA device does what every device does: the same on the fake driver, at once and as late as it may, and on a GPU.
#include <gtest/gtest.h>

#include <cstdint>
#include <thread>
#include <vector>

#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"
#include "unit/cuda/cuda_places.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

INSTANTIATE_TEST_SUITE_P(Cuda, OnCuda, testing::Values(place::fake, place::delayed_fake, place::driver),
                         testing::PrintToStringParamName());

constexpr index_t size = 3000;

inline constexpr auto add_to =
    kernel<"add_to">([](InOut<f32, B> z, In<f32, dyn> x) { z.store(z.load() + load_like(x, z)); });

inline constexpr auto place_rows = kernel<"place_rows">(
    [](Scatter<f32, B, N> z, Unique<i32> rows, In<f32, dyn, dyn> x) { z.store(rows, load_like(x, z)); });

void expect_all(const Tensor<f32>& tensor, f32 value) {
  for (const f32 element : tensor.to_host()) ASSERT_EQ(element, value);
}

template <class Function>
void on_threads(int count, Function run) {
  std::vector<std::thread> threads;
  for (int t = 0; t < count; ++t) threads.emplace_back([&run, t] { run(t); });
  for (std::thread& thread : threads) thread.join();
}

// ---- Memory --------------------------------------------------------------------------------------------------------
TEST_P(OnCuda, ValuesComeBackAsTheyWent) {
  on_device([](const Device& device) {
    for (const index_t count : {index_t{0}, index_t{1}, index_t{1000}, index_t{65'537}, index_t{5'000'001}}) {
      const std::vector<f32> values = counted(count);
      EXPECT_TRUE(device.from_host(values, {count}).to_host() == values) << count << " elements";
    }
  });
}

template <class T>
void expect_filled(const Device& device, T value) {
  for (const index_t count : {index_t{1}, index_t{777}, index_t{100'001}}) {
    const std::vector<T> got = device.full<T>({count}, value).to_host();
    EXPECT_TRUE(got == std::vector<T>(static_cast<std::size_t>(count), value)) << count << " elements";
  }
}

TEST_P(OnCuda, TensorsAreFilledWhateverTheirElement) {
  on_device([](const Device& device) {
    expect_filled<i8>(device, 7);
    expect_filled<i16>(device, 0x1234);
    expect_filled<f32>(device, 1.5f);
    expect_filled<f32>(device, 0.0f);
    expect_filled<f64>(device, 1.0 / 3.0);
    expect_filled<i64>(device, 0x0102030405060708);
    expect_filled<i64>(device, -1);
  });
}

TEST_P(OnCuda, MemoryIsCountedAndUsedAgain) {
  on_device([](const Device& device) {
    device.synchronize();
    const std::size_t before = device.memory().in_use_bytes;
    {
      const Tensor<f32> held = device.empty<f32>({size});
      EXPECT_GE(device.memory().in_use_bytes, before + size * sizeof(f32));
      EXPECT_GE(device.memory().high_water_bytes, device.memory().in_use_bytes);
    }
    EXPECT_EQ(device.memory().in_use_bytes, before);
    const std::size_t cached = device.memory().cached_bytes;
    EXPECT_GE(cached, size * sizeof(f32));
    const Tensor<f32> again = device.empty<f32>({size});
    EXPECT_LT(device.memory().cached_bytes, cached);
    device.release_cached_memory();
    EXPECT_EQ(device.memory().cached_bytes, 0u);
  });
}

TEST_P(OnCuda, AnImpossibleSizeIsRefusedAndTheDeviceGoesOn) {
  on_device([](const Device& device) {
    EXPECT_THROW((void)device.empty<f32>({index_t{1} << 50}), out_of_memory);
    expect_filled<f32>(device, 2.0f);
  });
}

TEST_P(OnCuda, ViewsAreReadInTheirOrder) {
  on_device([](const Device& device) {
    const Shared<f32> whole = device.iota<f32>({300, 40}).share();
    EXPECT_EQ(whole.slice(1, 3, 5).slice(0, 7, 9).to_host(), (std::vector<f32>{283, 284, 323, 324}));
  });
}

// ---- Launches ------------------------------------------------------------------------------------------------------
TEST_P(OnCuda, ALaunchComputes) {
  on_device([](const Device& device) {
    const Shared<f32> x = device.iota<f32>({size}).share();
    auto [z, first, second] = add(device.empty<f32>({size}).partition({128}), x, x).sync();
    std::vector<f32> expected = counted(size);
    for (f32& value : expected) value *= 2;
    EXPECT_EQ(z.to_host(), expected);
  });
}

TEST_P(OnCuda, ALaunchSeesWhatWasCopiedAndFilledBeforeIt) {
  on_device([](const Device& device) {
    const std::vector<f32> values = counted(3'000'000);
    Tensor<f32> out = device.full<f32>({3'000'000}, -1.0f);
    const Shared<f32> x = device.from_host(values, {3'000'000}).share();
    auto [z, same] = add_one(std::move(out).partition({3000}), x).sync();
    EXPECT_TRUE(z.to_host() == counted(3'000'000, 1.0f));
    auto [w] = increment(device.full<f32>({3'000'000}, 4.0f).partition({3000})).sync();
    expect_all(w, 5.0f);
  });
}

TEST_P(OnCuda, ScalarsAndSeveralOutputsReachTheKernel) {
  on_device([](const Device& device) {
    const Shared<f32> x = device.full<f32>({size}, 3.0f).share(), y = device.full<f32>({size}, 1.0f).share();
    auto [scaled, same] = scale(device.empty<f32>({size}).partition({100}), 2.5f, x).sync();
    expect_all(scaled, 7.5f);
    auto [sum, difference, again, other] =
        sum_and_difference(device.empty<f32>({size}).partition({64}), device.empty<f32>({size}).partition({64}), x, y)
            .sync();
    expect_all(sum, 4.0f);
    expect_all(difference, 2.0f);
  });
}

TEST_P(OnCuda, ALaunchWithoutBlocksDoesNothing) {
  on_device([](const Device& device) {
    auto [z] = increment(device.empty<f32>({0}).partition({128})).sync();
    EXPECT_EQ(z.shape(), Shape({0}));
  });
}

TEST_P(OnCuda, LentTensorsAreUsedInPlace) {
  on_device([](const Device& device) {
    Tensor<f32> z = device.zeros<f32>({size});
    const Tensor<f32> one = device.full<f32>({size}, 1.0f);
    for (int i = 0; i < 5; ++i) add_to(z.partition({128}), one.borrow()).sync();
    expect_all(z, 5.0f);
  });
}

TEST_P(OnCuda, WorkOfOneStreamIsInOrder) {
  on_device([](const Device& device) {
    auto flying = increment(device.zeros<f32>({size}).partition({128}))
                      .then([](auto given) { return increment(std::move(std::get<0>(given)).partition({64})); })
                      .then([](auto given) { return increment(std::move(std::get<0>(given)).partition({32})); })
                      .start();
    auto [z] = std::move(flying).wait();
    expect_all(z, 3.0f);
  });
}

TEST_P(OnCuda, ATensorGoesFromStreamToStreamWithItsWork) {
  on_device([](const Device& device) {
    const Stream streams[] = {device.new_stream(), device.new_stream(), device.new_stream()};
    const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
    auto prepared = prepare(add_to(device.zeros<f32>({size}).partition({128}), one));
    for (int i = 0; i < 90; ++i) prepared.enqueue_on(streams[i % 3]);
    auto [sum, x] = std::move(prepared).finish();
    expect_all(sum, 90.0f);
  });
}

TEST_P(OnCuda, APreparedLaunchRunsAgainAndAgain) {
  on_device([](const Device& device) {
    auto prepared = prepare(increment(device.zeros<f32>({16}).partition({16})));
    for (int i = 0; i < 3000; ++i) prepared.enqueue();
    prepared.sync();
    auto [z] = std::move(prepared).finish();
    expect_all(z, 3001.0f);
  });
}

TEST_P(OnCuda, WhatIsDetachedFinishesAndFreesItsMemory) {
  on_device([](const Device& device) {
    device.synchronize();
    const std::size_t before = device.memory().in_use_bytes;
    {
      const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
      for (int i = 0; i < 100; ++i) add(device.zeros<f32>({size}).partition({128}), one, one).start().detach();
    }
    device.synchronize();
    EXPECT_EQ(device.memory().in_use_bytes, before);
  });
}

TEST_P(OnCuda, ThousandsOfLaunchesDoNotGrowMemory) {
  on_device([](const Device& device) {
    const Shared<f32> one = device.full<f32>({16}, 1.0f).share();
    for (int round = 0; round < 50; ++round) {
      for (int i = 0; i < 100; ++i) add(device.empty<f32>({16}).partition({16}), one, one).start().detach();
      device.stream().synchronize();
    }
    const memory_statistics now = device.memory();
    EXPECT_LT(now.cached_bytes + now.in_use_bytes, std::size_t{1} << 20 << (GetParam() == place::driver ? 8 : 0));
    EXPECT_LE(now.cached_bytes, now.high_water_bytes + now.high_water_bytes / 8);  // blocks are that much larger
  });
}

TEST_P(OnCuda, TheHostRunsFarAheadOfTheGpu) {
  on_device([](const Device& device) {
    const Shared<f32> one = device.full<f32>({16}, 1.0f).share();
    auto prepared = prepare(add_to(device.zeros<f32>({16}).partition({16}), one));
    for (int i = 0; i < 40'000; ++i) prepared.enqueue();
    auto [sum, x] = std::move(prepared).finish();
    expect_all(sum, 40'000.0f);
  });
}

// ---- Threads -------------------------------------------------------------------------------------------------------
TEST_P(OnCuda, ThreadsLaunchOnStreamsOfTheirOwn) {
  on_device([](const Device& device) {
    const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
    on_threads(4, [&](int t) {
      Tensor<f32> sum = device.zeros<f32>({size});
      for (int i = 0; i < 30; ++i) {
        auto [next, same] = add_to(std::move(sum).partition({t % 2 == 0 ? 128 : 64}), one).sync();
        sum = std::move(next);
      }
      expect_all(sum, 30.0f);
    });
  });
}

TEST_P(OnCuda, ThreadsShareOneStream) {
  on_device([](const Device& device) {
    const Stream stream = device.new_stream();
    const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
    on_threads(4, [&](int t) {
      Tensor<f32> sum = device.full<f32>({size}, static_cast<f32>(t));
      for (int i = 0; i < 30; ++i) {
        auto [next, same] = add_to(std::move(sum).partition({128}), one).sync_on(stream);
        sum = std::move(next);
      }
      expect_all(sum, static_cast<f32>(30 + t));
    });
  });
}

TEST_P(OnCuda, AnotherThreadWaitsForWhatThisOneStarted) {
  on_device([](const Device& device) {
    const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
    for (int i = 0; i < 20; ++i) {
      auto flying = add(device.zeros<f32>({size}).partition({128}), one, one).start();
      std::thread([mine = std::move(flying)]() mutable {
        auto [sum, x, y] = std::move(mine).wait();
        expect_all(sum, 2.0f);
      }).join();
    }
  });
}

// ---- Refusals ------------------------------------------------------------------------------------------------------
TEST_P(OnCuda, AStrideThatIsNotPositiveIsRefusedByName) {
  on_device([](const Device& device) {
    const Shared<f32> one = device.full<f32>({1}, 1.0f).share();
    const Shared<f32> wide = one.strided({size}, {0}, 0);
    const report parts = usage_of([&] { (void)add_one(device.empty<f32>({size}).partition({128}), wide).sync(); });
    EXPECT_EQ(parts.where, "kernel 'add_one', parameter 1, axis 0");
    EXPECT_EQ(parts.got, "0");
  });
}

TEST_P(OnCuda, ATensorOfAnotherDeviceIsRefused) {
  on_device([](const Device& device) {
    const Shared<f32> elsewhere = interp_device().full<f32>({size}, 1.0f).share();
    const report parts = usage_of([&] { (void)add_one(device.empty<f32>({size}).partition({128}), elsewhere).sync(); });
    EXPECT_EQ(parts.expected, device.name());
    EXPECT_EQ(parts.got, "interp");
  });
}

TEST_P(OnCuda, RowsGoWhereUniqueIndicesSay) {
  on_device([](const Device& device) {
    const index_t count = 77, rows = 200, columns = 9;
    std::vector<i32> list;
    std::vector<f32> expected(static_cast<std::size_t>(rows * columns), -1.0f);
    for (index_t i = 0; i < count; ++i) {
      list.push_back(static_cast<i32>((i * 7 + 3) % rows));
      for (index_t j = 0; j < columns; ++j) {
        expected[static_cast<std::size_t>(list.back() * columns + j)] = static_cast<f32>(i * columns + j);
      }
    }
    auto z = device.full<f32>({rows, columns}, -1.0f);
    const auto x = device.from_host(counted(count * columns), {count, columns}).share();
    const auto indices = unique_indices(device.from_host(list, {count}).share(), rows);
    place_rows(z.partition({16, 4}), indices, x).sync();
    EXPECT_EQ(z.to_host(), expected);
    list[5] = list[50];
    EXPECT_THROW((void)unique_indices(device.from_host(list, {count}).share(), rows), usage_error);
  });
}

}  // namespace
}  // namespace tilewright::test
