// SPDX-License-Identifier: Apache-2.0
// Parts of a tensor that share no element: split_at() and chunks().
#include <gtest/gtest.h>

#include <concepts>
#include <utility>

#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

inline constexpr Dim C{"C"};
inline constexpr auto negate_columns =
    kernel<"negate_columns">([](Out<f32, B, C> z, In<f32, dyn, dyn> x) { z.store(-load_like(x, z)); });

static_assert(std::same_as<decltype(std::declval<Tensor<f32>&>().split_at(0, 0).first), TensorSlice<f32>>);
static_assert(std::same_as<decltype(std::declval<const Tensor<f32>&>().split_at(0, 0).first), TensorSlice<const f32>>);
template <class T>
concept can_be_lent_whole = requires(T&& tensor) {
  std::forward<T>(tensor).all();
};
static_assert(can_be_lent_whole<Tensor<f32>&> && !can_be_lent_whole<const Tensor<f32>&> &&
              !can_be_lent_whole<Tensor<f32>>);
static_assert(!std::move_constructible<SplitSlices<f32>> && !std::move_constructible<TensorChunks<f32>>);

TEST(SplitAt, GivesTwoPartsThatOneLaunchReadsAndWrites) {
  const Device d = interp_device();
  auto t = d.from_host(counted(8), {8});
  auto [head, tail] = t.split_at(0, 4);
  EXPECT_EQ(head.shape(), Shape{4});
  add_one(tail.partition({2}), head.borrow()).sync();
  add_one(head.partition({2}), tail.borrow()).sync();  // a name lends again
  EXPECT_EQ(t.to_host(), (std::vector<f32>{2, 3, 4, 5, 1, 2, 3, 4}));
}

TEST(SplitAt, OfAnInnerAxisGivesColumnsThatLieBetweenEachOther) {
  const Device d = interp_device();
  auto t = d.from_host(counted(12), {3, 4});
  auto [left, right] = t.split_at(1, 2);
  negate_columns(right.partition({1, 2}), left.borrow()).sync();
  EXPECT_EQ(t.to_host(), (std::vector<f32>{0, 1, 0, -1, 4, 5, -4, -5, 8, 9, -8, -9}));
}

TEST(SplitAt, OfASliceCountsFromTheSlice) {
  const Device d = interp_device();
  auto t = d.from_host(counted(8), {8});
  auto [first, rest] = t.slice(0, 2, 8).split_at(0, 3);
  auto [second, third] = rest.split_at(0, 1);
  add(first.slice(0, 0, 2).partition({2}), third.borrow(), rest.slice(0, 0, 2).borrow()).sync();
  increment(second.partition({1})).sync();
  EXPECT_EQ(t.to_host(), (std::vector<f32>{0, 1, 11, 13, 4, 6, 6, 7}));
}

TEST(SplitAt, MayLeaveOnePartEmpty) {
  const Device d = interp_device();
  auto t = d.from_host(counted(4), {4});
  auto [none, all] = t.split_at(0, 0);
  EXPECT_EQ(none.shape(), Shape{0});
  increment(all.partition({4})).sync();
  auto [whole, nothing] = t.split_at(0, 4);
  increment(nothing.partition({4})).sync();
  EXPECT_EQ(t.to_host(), counted(4, 1));
}

TEST(SplitAt, PartsThatMeetAreRefusedByTheirElements) {
  const Device d = interp_device();
  auto t = d.from_host(counted(8), {8});
  auto [head, tail] = t.split_at(0, 4);
  auto [low, high] = t.split_at(0, 5);
  add_one(head.partition({4}), tail.borrow()).sync();
  EXPECT_EQ(usage_of([&] { add_one(tail.partition({4}), low.borrow()).sync(); }).what,
            "an output overlaps another argument");
  EXPECT_EQ(usage_of([&] { add_one(head.partition({4}), head.borrow()).sync(); }).what,
            "an output overlaps another argument");
}

TEST(All, IsOnePieceOfATensorOrASlice) {
  const Device d = interp_device();
  auto t = d.from_host(counted(5), {5});
  auto [head, tail] = t.split_at(0, 2);
  add_one(tail.all(), t.slice(0, 0, 1).borrow()).sync();
  increment(t.all()).sync();
  increment(t.slice(0, 4, 5).all()).sync();
  EXPECT_EQ(t.to_host(), (std::vector<f32>{1, 2, 2, 2, 3}));
}

TEST(SplitAt, OfAConstTensorLendsToReaders) {
  const Device d = interp_device();
  const auto t = d.from_host(counted(8), {8});
  auto [head, tail] = t.split_at(0, 4);
  auto z = d.zeros<f32>({4});
  add(z.partition({4}), head.borrow(), tail.borrow()).sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{4, 6, 8, 10}));
}

TEST(SplitAt, RefusesAnIndexOrAnAxisOutside) {
  const Device d = interp_device();
  auto t = d.zeros<f32>({4, 2});
  EXPECT_EQ(usage_of([&] { (void)t.split_at(0, 5).first.shape(); }).expected, "an index from 0 to 4");
  EXPECT_EQ(usage_of([&] { (void)t.split_at(1, -1).first.shape(); }).got, "-1");
  EXPECT_EQ(usage_of([&] { (void)t.split_at(2, 0).first.shape(); }).what, "split_at of an axis that the tensor lacks");
  auto u = std::move(t);  // nothing stayed lent
}

TEST(SplitAt, LendsTheTensorWhileAPartHasAName) {
  const Device d = interp_device();
  auto t = d.zeros<f32>({4});
  {
    auto [head, tail] = t.split_at(0, 2);
    const auto give_away = [](Tensor<f32>& from) { Tensor<f32> taken(std::move(from)); };
    EXPECT_EQ(usage_of([&] { give_away(t); }).what, "a Tensor was moved while it is lent");
    (void)head.shape(), (void)tail.shape();
  }
  auto u = std::move(t);
  EXPECT_EQ(u.shape(), Shape{4});
}

TEST(SplitAt, APartThatWasUsedUpIsRefused) {
  const Device d = interp_device();
  auto t = d.zeros<f32>({4});
  auto [head, tail] = t.split_at(0, 2);
  increment(std::move(head).partition({2})).sync();
  EXPECT_EQ(usage_of([&] { increment(head.partition({2})).sync(); }).what, "use of a TensorSlice that was given away");
  EXPECT_EQ(usage_of([&] { increment(std::move(head).partition({2})).sync(); }).where, "TensorSlice");
  increment(tail.partition({2})).sync();
}

TEST(Chunks, AreAllPartsInOrderAndTheLastMayBeShorter) {
  const Device d = interp_device();
  auto t = d.zeros<f32>({5, 2});
  std::vector<Shape> shapes;
  for (auto part : t.chunks(0, 2)) {
    shapes.push_back(part.shape());
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      increment(part.reshape({part.shape().elements()}).partition({4})).sync();
    }
  }
  EXPECT_EQ(shapes, (std::vector<Shape>{{2, 2}, {2, 2}, {1, 2}}));
  EXPECT_EQ(t.to_host(), (std::vector<f32>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3}));
}

TEST(Chunks, MayBeLentTogetherToReadersAndWriters) {
  const Device d = interp_device();
  auto t = d.from_host(counted(12), {12});
  auto parts = t.chunks(0, 4);
  ASSERT_EQ(parts.size(), 3);
  add(parts[0].partition({4}), parts[1].borrow(), parts[2].borrow()).sync();
  EXPECT_EQ(t.to_host(), (std::vector<f32>{12, 14, 16, 18, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(usage_of([&] { add_one(parts[1].partition({4}), parts[1].borrow()).sync(); }).what,
            "an output overlaps another argument");
}

TEST(Chunks, OfASliceOfAConstTensorAreForReaders) {
  const Device d = interp_device();
  const auto t = d.from_host(counted(8), {2, 4});
  auto z = d.zeros<f32>({2, 2});
  index_t number = 0;
  for (auto part : t.slice(0, 1, 2).chunks(1, 2)) {
    negate_columns(z.slice(0, number, number + 1).partition({1, 2}), part.borrow()).sync();
    ++number;
  }
  EXPECT_EQ(z.to_host(), (std::vector<f32>{-4, -5, -6, -7}));
}

TEST(Chunks, RefuseASizeANumberOrAnAxisThatIsNone) {
  const Device d = interp_device();
  auto t = d.zeros<f32>({4});
  EXPECT_EQ(usage_of([&] { (void)t.chunks(0, 0).size(); }).what, "chunks without elements");
  EXPECT_EQ(usage_of([&] { (void)t.chunks(0, -3).size(); }).got, "-3");
  EXPECT_EQ(usage_of([&] { (void)t.chunks(1, 2).size(); }).what, "chunks of an axis that the tensor lacks");
  EXPECT_EQ(usage_of([&] { (void)t.chunks(0, 2)[2].shape(); }).expected, "a number from 0, less than 2");
  EXPECT_EQ(usage_of([&] { (void)t.chunks(0, 2)[-1].shape(); }).got, "-1");
  EXPECT_EQ(t.chunks(0, INT64_MAX).size(), 1);
  auto none = d.zeros<f32>({0});
  EXPECT_EQ(none.chunks(0, 4).size(), 0);
}

}  // namespace
}  // namespace tilewright::test
