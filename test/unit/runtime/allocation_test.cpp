// SPDX-License-Identifier: Apache-2.0
// A warm prepared launch allocates nothing, on any thread; nor does a replay of a graph. The tests count every operator
// new of the process.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "support/test_device.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace {

std::atomic<std::int64_t> allocations{0};

void* counted(std::size_t size, std::size_t alignment) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::aligned_alloc(alignment, (size / alignment + 1) * alignment);
}
void* counted_or_throw(std::size_t size, std::size_t alignment) {
  void* memory = counted(size, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return counted_or_throw(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted_or_throw(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace tilewright {
namespace {

inline constexpr Dim B{"B"};
inline constexpr auto add_to =
    kernel<"add_to">([](InOut<f32, B> z, In<f32, dyn> x) { z.store(z.load() + load_like(x, z)); });

class PreparedLaunchOf : public testing::TestWithParam<index_t> {};
// One block, a launch that one thread does alone, and one that is shared.
INSTANTIATE_TEST_SUITE_P(Elements, PreparedLaunchOf, testing::Values(100, 1000, 100'000),
                         testing::PrintToStringParamName());

void expect_prepared_without_allocation(const Device& device, index_t size) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  auto prepared = prepare(add_to(device.zeros<f32>({size}).partition({128}), one));
  constexpr int warm_up = 50, launches = 200;
  for (int i = 0; i < warm_up; ++i) prepared.sync();

  const std::int64_t before = allocations.load();
  for (int i = 0; i < launches; ++i) prepared.sync();
  EXPECT_EQ(allocations.load() - before, 0) << "sync()";

  prepared.enqueue();  // the stream's thread meets the kernel's scratch size
  device.synchronize();
  const std::int64_t between = allocations.load();
  for (int i = 0; i < launches; ++i) prepared.enqueue();
  device.stream().synchronize();
  EXPECT_EQ(allocations.load() - between, 0) << "enqueue()";

  const auto [sum, same] = std::move(prepared).finish();
  EXPECT_EQ(sum.to_host().front(), static_cast<f32>(warm_up + 2 * launches + 1));
}

void expect_graph_without_allocation(const Device& device, index_t size) {
  const Shared<f32> one = device.full<f32>({size}, 1.0f).share();
  auto sum = device.zeros<f32>({size});
  Graph graph = capture(device, [&] {
    for (int i = 0; i < 3; ++i) add_to(sum.partition({128}), one.borrow()).sync();
  });
  constexpr int warm_up = 50, replays = 200;
  for (int i = 0; i < warm_up; ++i) graph.sync();
  for (int i = 0; i < replays; ++i) graph.enqueue();
  device.synchronize();

  const std::int64_t before = allocations.load();
  for (int i = 0; i < replays; ++i) graph.sync();
  for (int i = 0; i < replays; ++i) graph.enqueue();
  device.stream().synchronize();
  EXPECT_EQ(allocations.load() - before, 0);
  EXPECT_EQ(sum.to_host().front(), static_cast<f32>(3 * (warm_up + 3 * replays)));
}

TEST_P(PreparedLaunchOf, ElementsAllocatesNothingOnceWarm) {
  expect_prepared_without_allocation(cpu_device(), GetParam());
}
TEST_P(PreparedLaunchOf, ElementsInAGraphAllocatesNothingOnceWarm) {
  expect_graph_without_allocation(cpu_device(), GetParam());
}

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* why = test::why_missing(test::test_back_end::gpu)) GTEST_SKIP() << why;
  }
  Device gpu() const { return test::test_device(test::test_back_end::gpu); }
};
TEST_F(OnAGpu, APreparedLaunchAllocatesNothingOnceWarm) { expect_prepared_without_allocation(gpu(), 1000); }
TEST_F(OnAGpu, AGraphAllocatesNothingOnceWarm) { expect_graph_without_allocation(gpu(), 1000); }

TEST(Allocations, AreCounted) {
  const std::int64_t before = allocations.load();
  const Tensor<f32> tensor = cpu_device().zeros<f32>({10});
  EXPECT_GT(allocations.load(), before);
}

}  // namespace
}  // namespace tilewright
