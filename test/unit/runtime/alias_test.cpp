// SPDX-License-Identifier: Apache-2.0
// The alias rule: exact on views, and enforced at a launch.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "runtime/aliases.hpp"
#include "unit/runtime/runtime_kernels.hpp"

namespace tilewright::test {
namespace {

struct view {
  index_t first;
  std::vector<index_t> extents, strides;
  detail::region region() const { return {first, static_cast<int>(extents.size()), extents.data(), strides.data()}; }

  std::set<index_t> positions() const {
    std::set<index_t> found{first};
    for (std::size_t axis = 0; axis < extents.size(); ++axis) {
      std::set<index_t> wider;
      for (const index_t place : found) {
        for (index_t i = 0; i < extents[axis]; ++i) wider.insert(place + i * strides[axis]);
      }
      found = wider;
    }
    return found;
  }
};

TEST(Overlap, OfTwoColumnsOfOneMatrixIsNone) {
  const view left{0, {1000, 3}, {8, 1}}, right{3, {1000, 5}, {8, 1}}, both{2, {1000, 2}, {8, 1}};
  EXPECT_FALSE(detail::overlap(left.region(), right.region()));
  EXPECT_TRUE(detail::overlap(left.region(), both.region()));
  EXPECT_TRUE(detail::overlap(both.region(), right.region()));
}

TEST(Overlap, OfEvenAndOddElementsIsNone) {
  const view even{0, {1'000'000}, {2}}, odd{1, {1'000'000}, {2}}, backwards{1'999'999, {1'000'000}, {-2}};
  EXPECT_FALSE(detail::overlap(even.region(), odd.region()));
  EXPECT_TRUE(detail::overlap(odd.region(), backwards.region()));
}

TEST(Overlap, AgreesWithCountingOnRandomViews) {
  std::mt19937 engine(20261201);
  const auto draw = [&](int least, int most) { return std::uniform_int_distribution<index_t>(least, most)(engine); };
  const auto random_view = [&] {
    view made{draw(-30, 30), {}, {}};
    for (index_t axis = draw(0, 4); axis > 0; --axis) {
      made.extents.push_back(draw(0, 4));
      made.strides.push_back(draw(-12, 12));
    }
    return made;
  };
  int overlapping = 0;
  for (int i = 0; i < 20'000; ++i) {
    const view a = random_view(), b = random_view();
    const std::set<index_t> of_a = a.positions(), of_b = b.positions();
    const bool meet = std::any_of(of_a.begin(), of_a.end(), [&](index_t place) { return of_b.count(place) != 0; });
    ASSERT_EQ(detail::overlap(a.region(), b.region()), meet) << "case " << i;
    overlapping += meet ? 1 : 0;
  }
  EXPECT_GT(overlapping, 1000);
  EXPECT_LT(overlapping, 18'000);
}

TEST(AliasRule, LetsInputsOverlap) {
  const Device d = interp_device();
  auto z = d.zeros<f32>({4});
  const auto x = d.from_host(counted(6), {6}).share();
  add(z.partition({4}), x.slice(0, 0, 4), x.slice(0, 2, 6)).sync();
  EXPECT_EQ(z.to_host(), (std::vector<f32>{2, 4, 6, 8}));
}

TEST(AliasRule, LetsSlicesWithoutACommonElementBeReadAndWritten) {
  const Device d = interp_device();
  auto cache = d.from_host(counted(12), {6, 2});
  add_one(cache.reshape({12}).slice(0, 8, 12).partition({2}), cache.reshape({12}).slice(0, 0, 4).borrow()).sync();
  EXPECT_EQ(cache.to_host(), (std::vector<f32>{0, 1, 2, 3, 4, 5, 6, 7, 1, 2, 3, 4}));
}

TEST(AliasRule, RefusesAnOutputThatOverlapsAnInputAndShowsBoth) {
  const Device d = interp_device();
  auto t = d.from_host(counted(12), {12});
  const report parts =
      usage_of([&] { add_one(t.slice(0, 4, 8).partition({2}), t.slice(0, 0, 5).slice(0, 1, 5).borrow()).sync(); });
  EXPECT_EQ(parts.what, "an output overlaps another argument");
  EXPECT_EQ(parts.where, "kernel 'add_one'");
  EXPECT_NE(parts.expected.find("parameter 0 (Out): elements 4 to 7"), std::string::npos) << parts.expected;
  EXPECT_NE(parts.got.find("parameter 1 (In): elements 1 to 4"), std::string::npos) << parts.got;
  EXPECT_EQ(t.to_host(), counted(12)) << "nothing ran";
}

// b09 of the misuses, where the compiler cannot see it.
TEST(AliasRule, RefusesOneTensorAsOutputAndInput) {
  const Device d = interp_device();
  auto z = d.zeros<f32>({8});
  const auto lend_both = [](Tensor<f32>& out, Tensor<f32>& in) { add_one(out.partition({4}), in.borrow()).sync(); };
  EXPECT_EQ(usage_of([&] { lend_both(z, z); }).what, "an output overlaps another argument");
}

TEST(AliasRule, RefusesTwoOutputsInOnePlace) {
  const Device d = interp_device();
  auto z = d.zeros<f32>({8});
  const auto x = d.zeros<f32>({5}).share();
  EXPECT_EQ(usage_of([&] {
              sum_and_difference(z.slice(0, 0, 5).partition({4}), z.slice(0, 3, 8).partition({4}), x, x).sync();
            }).what,
            "an output overlaps another argument");
  sum_and_difference(z.slice(0, 0, 4).partition({4}), z.slice(0, 4, 8).partition({4}), x.slice(0, 0, 4),
                     x.slice(0, 0, 4))
      .sync();
}

}  // namespace
}  // namespace tilewright::test
