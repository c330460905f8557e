// SPDX-License-Identifier: Apache-2.0
// HostBuffer: host memory that copies take into flight, here on the devices of the host.
#include <gtest/gtest.h>

#include <concepts>
#include <numeric>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

template <class T>
concept has_span = requires(T&& buffer) {
  std::forward<T>(buffer).span();
};
template <class T>
concept can_be_lent_whole = requires(T&& buffer) {
  std::forward<T>(buffer).all();
};
static_assert(std::same_as<decltype(std::declval<HostBuffer<f32>&>().span()), std::span<f32>>);
static_assert(std::same_as<decltype(std::declval<const HostBuffer<f32>&>().span()), std::span<const f32>>);
static_assert(!has_span<HostBuffer<f32>> && !has_span<const HostBuffer<f32>>);
static_assert(!std::copy_constructible<HostBuffer<f32>> && std::movable<HostBuffer<f32>>);
static_assert(can_be_lent_whole<HostBuffer<f32>&> && !can_be_lent_whole<const HostBuffer<f32>&> &&
              !can_be_lent_whole<HostBuffer<f32>>);

TEST(HostBuffer, IsFilledAndReadThroughItsSpan) {
  const Device d = interp_device();
  auto buffer = d.host_buffer<f32>({2, 3});
  EXPECT_EQ(buffer.shape(), (Shape{2, 3}));
  EXPECT_EQ(buffer.size(), 6);
  EXPECT_TRUE(buffer.device() == d);
  const std::span<f32> values = buffer.span();
  ASSERT_EQ(values.size(), 6u);
  std::iota(values.begin(), values.end(), 0.0f);
  const auto& same = buffer;
  EXPECT_EQ(same.span()[5], 5.0f);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % 128, 0u);
}

TEST(HostBuffer, MayBeEmptyAndRefusesANegativeExtent) {
  const Device d = interp_device();
  auto none = d.host_buffer<i32>({0, 4});
  EXPECT_TRUE(none.span().empty());
  EXPECT_EQ(usage_of([&] { (void)d.host_buffer<i32>({-1}); }).got, "[-1]");
}

TEST(HostBuffer, ReturnsItsMemoryToThePool) {
  const Device d = interp_device();
  const std::size_t before = d.memory().in_use_bytes;
  {
    auto buffer = d.host_buffer<f32>({1000});
    EXPECT_GE(d.memory().in_use_bytes, before + 4000);
  }
  EXPECT_EQ(d.memory().in_use_bytes, before);
}

TEST(HostBuffer, ThatWasGivenAwayIsRefused) {
  const Device d = interp_device();
  auto buffer = d.host_buffer<f32>({4});
  const auto give_away = [](HostBuffer<f32>& from) { HostBuffer<f32> taken(std::move(from)); };
  give_away(buffer);
  const auto use = [](HostBuffer<f32>& from) { (void)from.span(); };
  EXPECT_NE(usage_of([&] { use(buffer); }).what.find("was given away"), std::string::npos);
  EXPECT_NE(usage_of([&] { give_away(buffer); }).what.find("was given away"), std::string::npos);
  buffer = d.host_buffer<f32>({2});
  EXPECT_EQ(buffer.size(), 2);
}

TEST(HostBuffer, TradesPlacesThroughSwap) {
  const Device d = interp_device();
  auto a = d.host_buffer<f32>({1}), b = d.host_buffer<f32>({2});
  swap(a, b);
  EXPECT_EQ(a.size(), 2);
  EXPECT_EQ(b.size(), 1);
}

}  // namespace
}  // namespace tilewright::test
