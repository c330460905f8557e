// SPDX-License-Identifier: Apache-2.0
// Ops that move elements, on every back end and for every width of element: nothing may change but the place.
#include <algorithm>
#include <numeric>

#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/tile_computation.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using shape = std::vector<index_t>;

class Shape : public BackEndTest {};
class Broadcast : public BackEndTest {};

constexpr dtype widths[] = {dtype::boolean, dtype::i8, dtype::f16, dtype::i32, dtype::f32, dtype::index};

// Elements 0, 1, 2, ... (mod 2 for bool).
host_array counting(dtype element, const shape& extents) {
  host_array made(element, extents);
  for (index_t i = 0; i < made.size(); ++i) made.set(i, element == dtype::boolean ? i % 2 : i % 120);
  return made;
}

value_type with_extents(dtype element, const shape& extents) {
  return type_of(element, std::vector<std::int32_t>(extents.begin(), extents.end()));
}

shape coordinates(index_t i, const shape& extents) {
  shape place(extents.size());
  for (std::size_t axis = extents.size(); axis-- > 0; i /= extents[axis]) place[axis] = i % extents[axis];
  return place;
}
index_t position(const shape& place, const shape& extents) {
  index_t i = 0;
  for (std::size_t axis = 0; axis < extents.size(); ++axis) i = i * extents[axis] + place[axis];
  return i;
}

// Expects element i of `got` to be element source(coordinates of i) of `from`.
template <class Source>
void expect_moved(const host_array& got, const host_array& from, Source source) {
  for (index_t i = 0; i < got.size(); ++i) {
    const index_t origin = position(source(coordinates(i, got.extents())), from.extents());
    ASSERT_EQ(got.bits(i), from.bits(origin)) << info(got.element()).name << " element " << i;
  }
}

TEST_P(Shape, PermuteTakesEveryOrderOfAxes) {
  const shape all_shapes[] = {{4}, {3, 5}, {16, 16}, {1, 7}, {2, 3, 5}, {33, 2, 4}, {2, 3, 1, 5}};
  for (const dtype element : widths) {
    for (const shape& extents : all_shapes) {
      const host_array from = counting(element, extents);
      std::vector<std::size_t> order(extents.size());
      std::iota(order.begin(), order.end(), 0U);
      do {
        shape to(extents.size());
        std::int64_t packed = 0;
        for (std::size_t axis = 0; axis < order.size(); ++axis) {
          to[axis] = extents[order[axis]];
          packed |= static_cast<std::int64_t>(order[axis]) << (4 * axis);
        }
        SCOPED_TRACE(testing::PrintToString(extents) + testing::PrintToString(order));
        const host_array got = compute_tile(GetParam(), op::permute, with_extents(element, to), {from}, {packed});
        expect_moved(got, from, [&](const shape& place) {
          shape origin(place.size());
          for (std::size_t axis = 0; axis < place.size(); ++axis) origin[order[axis]] = place[axis];
          return origin;
        });
      } while (std::next_permutation(order.begin(), order.end()));
    }
  }
}

TEST_P(Shape, ReshapeKeepsRowMajorOrder) {
  const std::pair<shape, shape> rows[] = {{{12}, {3, 4}}, {{3, 4}, {12}}, {{2, 3, 4}, {4, 6}},
                                          {{1, 5}, {5}},  {{7}, {7, 1}},  {{2, 2, 2, 2, 2, 2}, {64}}};
  for (const dtype element : widths) {
    for (const auto& [extents, to] : rows) {
      const host_array from = counting(element, extents);
      const host_array got = compute_tile(GetParam(), op::reshape, with_extents(element, to), {from});
      for (index_t i = 0; i < got.size(); ++i) ASSERT_EQ(got.bits(i), from.bits(i)) << testing::PrintToString(to);
    }
  }
}

TEST_P(Shape, BroadcastRepeatsAxesOfOne) {
  const std::pair<shape, shape> rows[] = {{{1}, {5}},       {{1, 5}, {3, 5}},        {{3, 1}, {3, 5}},
                                          {{1, 1}, {4, 3}}, {{2, 1, 3}, {2, 37, 3}}, {{4}, {4}}};
  for (const dtype element : widths) {
    for (const auto& [extents, to] : rows) {
      const host_array from = counting(element, extents);
      const host_array got = compute_tile(GetParam(), op::broadcast, with_extents(element, to), {from});
      expect_moved(got, from, [&](shape place) {
        for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] = extents[axis] == 1 ? 0 : place[axis];
        return place;
      });
    }
  }
}

TEST_P(Shape, CatJoinsUnequalParts) {
  const struct {
    shape a, b;
    std::size_t axis;
  } rows[] = {{{3}, {5}, 0},        {{1}, {1}, 0}, {{2, 3}, {4, 3}, 0}, {{2, 3}, {2, 1}, 1}, {{2, 3, 4}, {2, 5, 4}, 1},
              {{64, 2}, {64, 2}, 1}};
  for (const dtype element : widths) {
    for (const auto& row : rows) {
      const host_array a = counting(element, row.a);
      host_array b = counting(element, row.b);
      if (element != dtype::boolean) b.set(0, 121);
      shape to = row.a;
      to[row.axis] += row.b[row.axis];
      const host_array got =
          compute_tile(GetParam(), op::cat, with_extents(element, to), {a, b}, {static_cast<std::int64_t>(row.axis)});
      for (index_t i = 0; i < got.size(); ++i) {
        shape place = coordinates(i, to);
        const bool first = place[row.axis] < row.a[row.axis];
        if (!first) place[row.axis] -= row.a[row.axis];
        const host_array& from = first ? a : b;
        ASSERT_EQ(got.bits(i), from.bits(position(place, from.extents()))) << testing::PrintToString(to) << " at " << i;
      }
    }
  }
}

TEST_P(Shape, ExtractTakesThePieceAtItsPosition) {
  const struct {
    shape whole, piece, at;
  } rows[] = {{{8}, {4}, {1}},
              {{8}, {8}, {0}},
              {{6, 4}, {2, 4}, {2, 0}},
              {{6, 4}, {3, 1}, {1, 3}},
              {{2, 4, 6}, {1, 2, 3}, {1, 0, 1}}};
  for (const dtype element : widths) {
    for (const auto& row : rows) {
      const host_array from = counting(element, row.whole);
      std::vector<std::int64_t> positions(row.at.begin(), row.at.end());
      positions.resize(max_rank, 0);
      const host_array got = compute_tile(GetParam(), op::extract, with_extents(element, row.piece), {from}, positions);
      expect_moved(got, from, [&](shape place) {
        for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] += row.at[axis] * row.piece[axis];
        return place;
      });
    }
  }
}

TEST_P(Shape, IotaCountsAlongItsAxisAndWraps) {
  for (const dtype element : {dtype::i8, dtype::u8, dtype::i32, dtype::u64, dtype::index}) {
    for (const shape& extents : {shape{1}, shape{300}, shape{1, 5}, shape{5, 1}, shape{1, 37, 1}}) {
      const auto axis = static_cast<std::size_t>(std::max_element(extents.begin(), extents.end()) - extents.begin());
      const host_array got =
          compute_tile(GetParam(), op::iota, with_extents(element, extents), {}, {static_cast<std::int64_t>(axis)});
      for (index_t i = 0; i < got.size(); ++i) ASSERT_EQ(got.bits(i), encode(element, i)) << info(element).name;
    }
  }
}

TEST_P(Shape, ConstantsHaveTheirValueEverywhere) {
  const struct {
    dtype element;
    double value;
  } rows[] = {{dtype::boolean, 1},      {dtype::i8, -128},      {dtype::u16, 65535}, {dtype::f16, -0.0},
              {dtype::bf16, 0.1015625}, {dtype::f32, HUGE_VAL}, {dtype::f64, 0.1},   {dtype::index, -7}};
  for (const auto& row : rows) {
    program_builder p(2);
    const int z = p.out(row.element, {3, 5});
    p.store(z, p.constant(type_of(row.element, {3, 5}), row.value));
    const host_array got(row.element, {3, 5});
    run_here(p.result(), {got.argument()}, {1, 1});
    for (index_t i = 0; i < 15; ++i) EXPECT_EQ(got.bits(i), encode(row.element, row.value)) << info(row.element).name;
  }
}

// ---- Implicit broadcasting of operands -----------------------------------------------------------------------------
const std::vector<std::pair<shape, shape>> operand_shapes = {
    {{5}, {1}},       {{1}, {5}},       {{3, 1}, {1, 5}},        {{1, 5}, {3, 1}}, {{3, 5}, {1, 1}},
    {{1, 1}, {3, 5}}, {{3, 5}, {3, 1}}, {{4, 1, 3}, {1, 37, 1}}, {{1}, {1}},       {{2, 3, 4}, {2, 1, 4}}};

shape joined(const shape& a, const shape& b) {
  shape to(a.size());
  for (std::size_t axis = 0; axis < a.size(); ++axis) to[axis] = std::max(a[axis], b[axis]);
  return to;
}
i64 element_at(const host_array& from, shape place) {
  for (std::size_t axis = 0; axis < place.size(); ++axis) place[axis] = from.extents()[axis] == 1 ? 0 : place[axis];
  return from.get<i64>(position(place, from.extents()));
}

TEST_P(Broadcast, OperandsOfTwoRepeat) {
  for (const auto& [left, right] : operand_shapes) {
    const host_array a = counting(dtype::i32, left), b = counting(dtype::i32, right);
    const shape to = joined(left, right);
    const host_array difference = compute_tile(GetParam(), op::subtract, with_extents(dtype::i32, to), {a, b});
    const host_array lesser = compute_tile(GetParam(), op::less, with_extents(dtype::boolean, to), {a, b});
    for (index_t i = 0; i < difference.size(); ++i) {
      const shape place = coordinates(i, to);
      const i64 x = element_at(a, place), y = element_at(b, place);
      ASSERT_EQ(difference.get<i64>(i), x - y) << testing::PrintToString(left) << testing::PrintToString(right);
      ASSERT_EQ(lesser.get<i64>(i), x < y ? 1 : 0) << testing::PrintToString(left) << testing::PrintToString(right);
    }
  }
}

TEST_P(Broadcast, OperandsOfThreeRepeat) {
  for (const auto& [left, right] : operand_shapes) {
    const host_array a = counting(dtype::f64, left), b = counting(dtype::f64, right);
    const host_array condition = counting(dtype::boolean, left);
    const shape to = joined(left, right);
    const host_array chosen = compute_tile(GetParam(), op::select, with_extents(dtype::f64, to), {condition, a, b});
    const host_array sum = compute_tile(GetParam(), op::fma, with_extents(dtype::f64, to), {a, b, a});
    for (index_t i = 0; i < chosen.size(); ++i) {
      const shape place = coordinates(i, to);
      const i64 x = element_at(a, place), y = element_at(b, place);
      ASSERT_EQ(chosen.get<i64>(i), element_at(condition, place) != 0 ? x : y) << testing::PrintToString(to);
      ASSERT_EQ(sum.get<i64>(i), x * y + x) << testing::PrintToString(to);
    }
  }
}

TEST_P(Broadcast, ScalarsGoWithEveryShape) {
  program_builder p(2);
  const int s = p.scalar(dtype::i32), x = p.in(dtype::i32, 2), z = p.out(dtype::i32, {3, 5});
  const value_type tile = type_of(dtype::i32, {3, 5});
  const value_id scalar = p.value(op::scalar, type_of(dtype::i32), {}, {s}), a = p.load(x, tile);
  const value_id three = p.constant(type_of(dtype::i32), 3);
  p.store(z, p.value(op::add, tile,
                     {p.value(op::multiply, tile, {scalar, a}),
                      p.value(op::divide, type_of(dtype::i32), {scalar, three})}));
  const host_array from = counting(dtype::i32, {3, 5}), got(dtype::i32, {3, 5});
  run_here(p.result(), {scalar_argument(i32{-10}), from.argument(), got.argument()}, {1, 1});
  for (index_t i = 0; i < 15; ++i) EXPECT_EQ(got.get<i64>(i), -10 * i - 3);
}

TILEWRIGHT_ON_EVERY_BACK_END(Shape);
TILEWRIGHT_ON_EVERY_BACK_END(Broadcast);

}  // namespace
}  // namespace tilewright::test
