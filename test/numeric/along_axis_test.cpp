// SPDX-License-Identifier: Apache-2.0
// Reductions and argmax on every back end, along every axis of odd and even shapes.
#include "numeric/axis_lines.hpp"
#include "numeric/back_end_test.hpp"

namespace tilewright::test {
namespace {

using ast::op;

class Reduction : public BackEndTest {};
class Argmax : public BackEndTest {};

constexpr float infinity = HUGE_VALF;
const float nan = std::nanf("");

TEST_P(Reduction, SumsStayInTheirBoundAlongEveryAxis) {
  for (const dtype element : numbers) {
    for (const auto& shape : shapes) {
      const host_array a = random_array(element, shape, 7);
      for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
        SCOPED_TRACE(testing::Message() << info(element).name << testing::PrintToString(shape) << " axis " << axis);
        const host_array got = compute_tile(GetParam(), op::reduce_sum, reduced_type(a, axis, element), {a}, {axis});
        const auto lines = lines_of(a, axis);
        ASSERT_EQ(got.size(), static_cast<index_t>(lines.size()));
        for (std::size_t n = 0; n < lines.size(); ++n) {
          EXPECT_TRUE(is_sum(a, lines[n], got.bits(static_cast<index_t>(n)))) << "line " << n;
        }
      }
    }
  }
}

TEST_P(Reduction, ProductsStayInTheirBound) {
  for (const dtype element : numbers) {
    for (const auto& shape : shapes) {
      const host_array a = random_array(element, shape, 13, true);
      const int axis = static_cast<int>(shape.size()) - 1;
      SCOPED_TRACE(testing::Message() << info(element).name << testing::PrintToString(shape));
      const host_array got = compute_tile(GetParam(), op::reduce_product, reduced_type(a, axis, element), {a}, {axis});
      const auto lines = lines_of(a, axis);
      for (std::size_t n = 0; n < lines.size(); ++n) {
        EXPECT_TRUE(is_product(a, lines[n], got.bits(static_cast<index_t>(n)))) << "line " << n;
      }
    }
  }
}

TEST_P(Reduction, GreatestLeastAndTheirPositionAreExact) {
  for (const dtype element : numbers) {
    for (const auto& shape : shapes) {
      const host_array a = random_array(element, shape, 17);
      for (int axis = 0; axis < static_cast<int>(shape.size()); ++axis) {
        SCOPED_TRACE(testing::Message() << info(element).name << testing::PrintToString(shape) << " axis " << axis);
        const value_type type = reduced_type(a, axis, element);
        const host_array most = compute_tile(GetParam(), op::reduce_max, type, {a}, {axis});
        const host_array least = compute_tile(GetParam(), op::reduce_min, type, {a}, {axis});
        const host_array place = compute_tile(GetParam(), op::argmax, reduced_type(a, axis, dtype::index), {a}, {axis});
        const auto lines = lines_of(a, axis);
        for (std::size_t n = 0; n < lines.size(); ++n) {
          const auto less = [&](index_t x, index_t y) {
            return decode(element, a.bits(x)) < decode(element, a.bits(y));
          };
          const auto greatest = std::max_element(lines[n].begin(), lines[n].end(), less);  // the first of ties
          const auto result = static_cast<index_t>(n);
          EXPECT_TRUE(is_same(element, most.bits(result), a.bits(*greatest)));
          EXPECT_TRUE(
              is_same(element, least.bits(result), a.bits(*std::min_element(lines[n].begin(), lines[n].end(), less))));
          EXPECT_EQ(place.get<i64>(result), greatest - lines[n].begin());
        }
      }
    }
  }
}

// ---- Stated cases --------------------------------------------------------------------------------------------------
struct sum_case {
  dtype element;
  index_t count;
  double value, sum;
};

TEST_P(Reduction, NarrowSumsDoNotStall) {
  for (const sum_case& c : {sum_case{dtype::f16, 4096, 1.0, 4096}, sum_case{dtype::bf16, 4096, 1.0, 4096},
                            sum_case{dtype::bf16, 10000, 0.1, 1000}}) {
    const host_array a(c.element, {c.count}, std::vector<double>(static_cast<std::size_t>(c.count), c.value));
    const host_array got = compute_tile(GetParam(), op::reduce_sum, type_of(c.element, {1}), {a}, {0});
    EXPECT_EQ(got.get<double>(0), c.sum) << c.count << " times " << c.value;
  }
}

TEST_P(Reduction, NanAndInfinitiesComeThrough) {
  const struct {
    std::vector<float> values;
    float sum, product, greatest, least;
  } rows[] = {{{1, nan, 3}, nan, nan, nan, nan},
              {{nan, 1, 3, 4, 5}, nan, nan, nan, nan},
              {{1, 2, 3, 4, 5, 6, 7, 8, nan}, nan, nan, nan, nan},
              {{1, infinity, -infinity}, nan, -infinity, infinity, -infinity},
              {{infinity, 0, 2}, infinity, nan, infinity, 0},
              {{-infinity, -infinity}, -infinity, infinity, -infinity, -infinity},
              {{0.0F, -0.0F}, 0, -0.0F, 0.0F, -0.0F},
              {{-0.0F, 0.0F}, 0, -0.0F, 0.0F, -0.0F},
              {{-5, -6, -7}, -18, -210, -5, -7}};
  for (const dtype element : {dtype::f16, dtype::bf16, dtype::f32, dtype::f64}) {
    for (const auto& row : rows) {
      SCOPED_TRACE(testing::Message() << info(element).name << testing::PrintToString(row.values));
      const host_array a(element, {static_cast<index_t>(row.values.size())}, row.values);
      const auto expect = [&](op which, float expected) {
        const host_array got = compute_tile(GetParam(), which, type_of(element, {1}), {a}, {0});
        EXPECT_TRUE(is_same(element, got.bits(0), encode(element, expected))) << ast::info(which).name;
      };
      expect(op::reduce_sum, row.sum);
      expect(op::reduce_product, row.product);
      expect(op::reduce_max, row.greatest);
      expect(op::reduce_min, row.least);
    }
  }
}

TEST_P(Argmax, TakesTheFirstOfTiesAndTheFirstNan) {
  const struct {
    std::vector<float> values;
    i64 position;
  } rows[] = {{{1, 3, 1, 3, 1}, 1},
              {std::vector<float>(16, -5), 0},
              {std::vector<float>(5, -infinity), 0},
              {{-0.0F, 0.0F}, 0},
              {{0.0F, -0.0F}, 0},
              {{1, nan, 3, nan}, 1},
              {std::vector<float>(61, nan), 0},
              {{-5, -6, -7}, 0},
              {{1, 2, 5, 4, 5}, 2},
              {{-infinity, infinity, infinity}, 1}};
  for (const dtype element : {dtype::f16, dtype::bf16, dtype::f32, dtype::f64}) {
    for (const auto& row : rows) {
      const host_array a(element, {static_cast<index_t>(row.values.size())}, row.values);
      const host_array got = compute_tile(GetParam(), op::argmax, type_of(dtype::index, {1}), {a}, {0});
      EXPECT_EQ(got.get<i64>(0), row.position) << info(element).name << testing::PrintToString(row.values);
    }
  }
  const host_array least(dtype::i32, {4}, std::vector<i32>(4, INT32_MIN));
  EXPECT_EQ(compute_tile(GetParam(), op::argmax, type_of(dtype::index, {1}), {least}, {0}).get<i64>(0), 0);
}

TEST_P(Argmax, OfAnAxisOfOneIsZeroEverywhere) {
  const host_array a(dtype::f32, {40, 900, 1}, std::vector<float>(36000, 0));
  const host_array got = compute_tile(GetParam(), op::argmax, type_of(dtype::index, {40, 900, 1}), {a}, {2});
  EXPECT_EQ(got.values<i64>(), std::vector<i64>(36000, 0));
}

TEST_P(Argmax, FindsTheFirstGreatestInALongLineEveryTime) {
  host_array a(dtype::f32, {1, 8192}, std::vector<float>(8192, 0));
  a.set(7, 1.0F);
  a.set(8191, 1.0F);
  for (int round = 0; round < 100; ++round) {
    ASSERT_EQ(compute_tile(GetParam(), op::argmax, type_of(dtype::index, {1, 1}), {a}, {1}).get<i64>(0), 7);
  }
}

// A padded load decides what overhanging lanes are worth; the author's pad(0) is the author's word.
TEST_P(Reduction, PaddedLanesCountWithTheirValue) {
  for (const float pad : {-infinity, 0.0F}) {
    program_builder p;
    const int x = p.in(dtype::f32, 1), z = p.out(dtype::f32, {1});
    const value_id lanes =
        p.load_padded(x, type_of(dtype::f32, {4}), {p.index(0)}, p.constant(type_of(dtype::f32), pad));
    p.store(z, p.value(op::reduce_max, type_of(dtype::f32, {1}), {lanes}, {0}));
    const host_array around(dtype::f32, {8}, std::vector<float>(8, infinity));
    host_array a = around.view({3}, {1}, 2);
    for (index_t i = 0; i < 3; ++i) a.set(i, -5.0F - static_cast<float>(i));
    const host_array result(dtype::f32, {1});
    run_here(p.result(), {a.argument(), result.argument()}, {1});
    EXPECT_EQ(result.get<float>(0), pad == 0.0F ? 0.0F : -5.0F);
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Reduction);
TILEWRIGHT_ON_EVERY_BACK_END(Argmax);

}  // namespace
}  // namespace tilewright::test
