// SPDX-License-Identifier: Apache-2.0
// Tensors and views of them: what they hold, and which views are refused.
#include <gtest/gtest.h>

#include <cmath>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

const Device host = interp_device();

TEST(Shape, KnowsItsExtents) {
  const Shape shape{4, index_t{5}, 6};
  EXPECT_EQ(shape.rank(), 3);
  EXPECT_EQ(shape[1], 5);
  EXPECT_EQ(shape.elements(), 120);
  EXPECT_EQ(Shape().elements(), 1);
  EXPECT_EQ((Shape{3, 0, INT64_MAX, INT64_MAX}.elements()), 0);
  EXPECT_EQ((Shape{INT64_MAX, 2}.elements()), INT64_MAX);
  EXPECT_EQ(to_text(shape), "[4, 5, 6]");
  EXPECT_NE(shape, (Shape{4, 5}));
}

TEST(Shape, RefusesAnAxisItLacks) {
  EXPECT_EQ(usage_of([] { (void)Shape{4, 5}[2]; }).got, "2");
  EXPECT_EQ(usage_of([] { (void)Shape{4, 5}[-1]; }).got, "-1");
  const std::vector<index_t> seven(7, 1);
  EXPECT_EQ(usage_of([&] { (void)Shape(std::span<const index_t>(seven)); }).got, "7");
}

TEST(Tensor, HoldsWhatItWasMadeOf) {
  EXPECT_EQ(host.from_host(counted(6), {2, 3}).to_host(), counted(6));
  EXPECT_EQ(host.zeros<i32>({3}).to_host(), (std::vector<i32>{0, 0, 0}));
  EXPECT_EQ(host.full<i64>({2}, -7).to_host(), (std::vector<i64>{-7, -7}));
  EXPECT_EQ(host.full({100'000}, 2.5).to_host(), std::vector<f64>(100'000, 2.5));
  EXPECT_EQ(host.iota<i16>({4}).to_host(), (std::vector<i16>{0, 1, 2, 3}));
  EXPECT_EQ(host.iota<f32>({40'000}).to_host(), counted(40'000));
  const std::vector<bool> bits{true, false, true};
  EXPECT_EQ(host.from_host(bits, {3}).to_host(), bits);
  EXPECT_EQ(host.from_host(std::vector<f32>{}, {0, 5}).to_host(), std::vector<f32>{});
  EXPECT_EQ(host.full<f32>({}, 3.0f).to_host(), std::vector<f32>{3.0f});
  EXPECT_EQ(host.randn<f32>({0}).to_host(), std::vector<f32>{});
}

TEST(Tensor, OfNormalNumbersIsTheSameForASeed) {
  const auto values = host.randn<f32>({20'000}, 5).to_host();
  EXPECT_EQ(cpu_device().randn<f32>({20'000}, 5).to_host(), values);
  EXPECT_NE(host.randn<f32>({20'000}, 6).to_host(), values);
  double sum = 0, squares = 0;
  for (const f32 value : values) {
    sum += value;
    squares += static_cast<double>(value) * value;
  }
  EXPECT_LT(std::abs(sum / 20'000), 0.03);
  EXPECT_NEAR(squares / 20'000, 1.0, 0.05);
}

TEST(Tensor, RefusesValuesThatDoNotFillIt) {
  const report parts = usage_of([] { (void)host.from_host(counted(5), {2, 3}); });
  EXPECT_EQ(parts.expected, "6");
  EXPECT_EQ(parts.got, "5");
  EXPECT_EQ(usage_of([] { (void)host.zeros<f32>({2, -3}); }).got, "[2, -3]");
}

TEST(Tensor, ThatDoesNotFitIsOutOfMemoryAndChangesNothing) {
  const memory_statistics before = host.memory();
  for (const int bits : {50, 59}) EXPECT_THROW((void)host.empty<f64>({index_t{1} << bits}), out_of_memory);
  EXPECT_EQ(host.memory().in_use_bytes, before.in_use_bytes);
  EXPECT_EQ(host.zeros<f32>({2}).to_host(), std::vector<f32>(2, 0.0f));
}

// KER-10: never a small allocation because a size wrapped; 2^64 elements of i8 would be 0 bytes.
TEST(Tensor, WhoseSizeOverflowsIsAUsageError) {
  EXPECT_EQ(usage_of([] {
              (void)host.empty<i8>({index_t{1} << 33, index_t{1} << 31});
            }).what,
            "the size of a tensor overflows");
  EXPECT_EQ(usage_of([] { (void)host.zeros<f64>({index_t{1} << 60}); }).what, "the size of a tensor overflows");
  EXPECT_EQ(usage_of([] { (void)host.empty<f32>({INT64_MAX, INT64_MAX}); }).expected, "fewer than 2^63 bytes");
  EXPECT_EQ(host.empty<i8>({index_t{1} << 33, index_t{1} << 31, 0}).shape().elements(), 0);
}

TEST(Tensor, GivesItsMemoryBackToThePool) {
  const std::size_t before = host.memory().in_use_bytes;
  {
    const auto tensor = host.empty<f32>({100'000});
    EXPECT_GE(host.memory().in_use_bytes, before + 400'000);
    EXPECT_GE(host.memory().high_water_bytes, before + 400'000);
  }
  EXPECT_EQ(host.memory().in_use_bytes, before);
  EXPECT_GE(host.memory().cached_bytes, 400'000U);
  host.release_cached_memory();
  EXPECT_EQ(host.memory().cached_bytes, 0U);
}

TEST(Tensor, KeepsNoMoreInThePoolThanWasEverInUse) {
  host.release_cached_memory();
  for (index_t size = 1'000'000; size < 3'000'000; size += 100'000) (void)host.empty<f32>({size}).shape();
  const memory_statistics now = host.memory();
  EXPECT_GT(now.cached_bytes, 0U);
  EXPECT_LE(now.cached_bytes, now.high_water_bytes);
}

TEST(Tensor, TakesAnotherShape) {
  auto tensor = host.from_host(counted(6), {2, 3}).reshape({3, 2});
  EXPECT_EQ(tensor.shape(), (Shape{3, 2}));
  EXPECT_EQ(usage_of([&] { (void)std::move(tensor).reshape({4, 2}); }).got, "[4, 2]");
}

TEST(Tensor, MovesAndSwaps) {
  auto a = host.full<f32>({1}, 1.0f);
  auto b = host.full<f32>({1}, 2.0f);
  swap(a, b);
  EXPECT_EQ(a.to_host()[0], 2.0f);
  b = std::move(a);
  EXPECT_EQ(b.to_host()[0], 2.0f);
}

// ---- Views ---------------------------------------------------------------------------------------------------------
TEST(Shared, SlicesEachAxis) {
  const auto x = host.from_host(counted(12), {3, 4}).share();
  EXPECT_EQ(x.slice(0, 1, 2).to_host(), (std::vector<f32>{4, 5, 6, 7}));
  EXPECT_EQ(x.slice(1, 1, 3).to_host(), (std::vector<f32>{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(x.slice(1, 1, 3).slice(0, 2, 3).to_host(), (std::vector<f32>{9, 10}));
  EXPECT_EQ(x.slice(0, 3, 3).to_host(), std::vector<f32>{});
  EXPECT_EQ(x.transpose().shape(), (Shape{4, 3}));
  EXPECT_EQ(x.transpose().slice(0, 1, 2).to_host(), (std::vector<f32>{1, 5, 9}));
}

TEST(Shared, HasItsAxesInAnyOrder) {
  const auto x = host.from_host(counted(24), {2, 3, 4}).share();
  EXPECT_EQ((x.permute<0, 1, 2>().to_host()), counted(24));
  EXPECT_EQ((x.permute<2, 0, 1>().shape()), (Shape{4, 2, 3}));
  EXPECT_EQ((x.permute<2, 0, 1>().slice(0, 1, 2).to_host()), (std::vector<f32>{1, 5, 9, 13, 17, 21}));
  EXPECT_EQ((x.permute<2, 1, 0>().to_host()), x.transpose().to_host());
  EXPECT_EQ((x.permute<1, 2, 0>().permute<2, 0, 1>().to_host()), counted(24)) << "the inverse";
  EXPECT_EQ((x.slice(1, 1, 2).permute<1, 0, 2>().to_host()), (std::vector<f32>{4, 5, 6, 7, 16, 17, 18, 19}));
}

TEST(Shared, RefusesAnOrderOfOtherAxesThanItHas) {
  const auto x = host.from_host(counted(24), {2, 3, 4}).share();
  auto z = host.zeros<f32>({4});
  EXPECT_EQ(usage_of([&] { (void)x.permute<1, 0>(); }).got, "2");
  EXPECT_EQ(usage_of([&] { (void)z.permute<1, 0>(); }).expected, "1 axes");
  EXPECT_EQ(usage_of([&] { (void)z.slice(0, 1, 3).permute<>(); }).where, "permute of [2]");
}

TEST(Shared, SeesItsElementsWithAnyStrides) {
  const auto x = host.from_host(counted(12), {12}).share();
  EXPECT_EQ(x.strided({2, 3}, {6, 2}, 1).to_host(), (std::vector<f32>{1, 3, 5, 7, 9, 11}));
  EXPECT_EQ(x.strided({4}, {-3}, 11).to_host(), (std::vector<f32>{11, 8, 5, 2}));
  EXPECT_EQ(x.strided({2, 2}, {0, 1}, 5).to_host(), (std::vector<f32>{5, 6, 5, 6}));
  EXPECT_EQ(x.slice(0, 4, 12).strided({2}, {-1}, 0).to_host(), (std::vector<f32>{4, 3}));
}

// Rows so far apart that each is copied alone.
TEST(Shared, SeesItsElementsAcrossWideGaps) {
  const auto x = host.iota<i32>({1'000'000}).share();
  EXPECT_EQ(x.strided({2, 3}, {500'000, 2}, 7).to_host(), (std::vector<i32>{7, 9, 11, 500'007, 500'009, 500'011}));
  EXPECT_EQ(x.strided({3}, {-400'000}, 900'000).to_host(), (std::vector<i32>{900'000, 500'000, 100'000}));
  EXPECT_EQ(x.strided({1, 2, 2}, {3, 1, 900'000}, 5).to_host(), (std::vector<i32>{5, 900'005, 6, 900'006}));
}

// KER-07
TEST(Shared, OfNoElementsHasAnyStrides) {
  const auto x = host.from_host(counted(12), {12}).share();
  EXPECT_EQ(x.strided({0, 5}, {100, 100}, 50).to_host(), std::vector<f32>{});
  EXPECT_EQ(x.strided({0}, {INT64_MIN}, 0).to_host(), std::vector<f32>{});
  EXPECT_EQ(x.strided({INT64_MAX, 0}, {INT64_MAX, 1}, 0).to_host(), std::vector<f32>{});
}

TEST(Shared, RefusesViewsOutsideItsElements) {
  const auto x = host.from_host(counted(12), {3, 4}).share();
  EXPECT_EQ(usage_of([&] { (void)x.slice(2, 0, 1); }).got, "2");
  EXPECT_EQ(usage_of([&] { (void)x.slice(1, 2, 5); }).got, "2 to 5");
  EXPECT_EQ(usage_of([&] { (void)x.slice(1, 3, 2); }).got, "3 to 2");
  EXPECT_EQ(usage_of([&] { (void)x.slice(0, -1, 2); }).got, "-1 to 2");
  for (const auto& [extents, strides, first] :
       std::vector<std::tuple<Shape, Shape, index_t>>{{{13}, {1}, 0},
                                                      {{2}, {1}, 11},
                                                      {{2}, {-1}, 0},
                                                      {{1}, {1}, -1},
                                                      {{1}, {1}, 12},
                                                      {{INT64_MAX, 2}, {INT64_MAX, 1}, 0},
                                                      {{-1}, {1}, 0},
                                                      {{2}, {INT64_MIN}, 0}}) {
    EXPECT_EQ(usage_of([&] { (void)x.strided(extents, strides, first); }).what,
              "a strided view reaches outside its tensor")
        << to_text(extents) << to_text(strides) << first;
  }
  EXPECT_EQ(usage_of([&] { (void)x.strided({2}, {1, 1}, 0); }).got, "2");
}

TEST(Shared, ReshapesOnlyWhatLiesInOrder) {
  const auto x = host.from_host(counted(12), {3, 4}).share();
  EXPECT_EQ(x.slice(0, 1, 3).reshape({8}).to_host(), counted(8, 4.0f));
  EXPECT_EQ(x.slice(0, 1, 2).slice(1, 1, 3).reshape({2, 1}).to_host(), (std::vector<f32>{5, 6}));
  EXPECT_EQ(usage_of([&] { (void)x.slice(1, 0, 2).reshape({6}); }).what, "reshape of a view that is not row-major");
  EXPECT_EQ(usage_of([&] { (void)x.reshape({5}); }).what, "reshape changes the element count");
  EXPECT_EQ(usage_of([&] { (void)x.reshape({-3, -4}); }).what, "reshape changes the element count");
}

TEST(Shared, IsATensorAgainWhenNobodyElseReads) {
  auto x = host.from_host(counted(3), {3}).share();
  {
    const auto other = x;
    EXPECT_EQ(usage_of([&] { (void)std::move(x).into_unique(); }).got, "2 owners");
  }
  Tensor<f32> again = std::move(x).into_unique();
  increment(again.partition({3})).sync();
  EXPECT_EQ(again.to_host(), counted(3, 1.0f));
}

}  // namespace
}  // namespace tilewright::test
