// SPDX-License-Identifier: Apache-2.0
// Loads, stores, gathers, loops and branches on every back end: edges, strides, empty extents, carried values.
#include "numeric/back_end_test.hpp"

namespace tilewright::test {
namespace {

using ast::op;
class Memory : public BackEndTest {};
class Control : public BackEndTest {};

std::vector<float> counting(index_t count, float from = 0) {
  std::vector<float> all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = from + static_cast<float>(i);
  return all;
}

// out = in, both of rank 1, in tiles of `width`.
const compiler::program& copy_program(program_builder& p, std::int32_t width) {
  const int x = p.in(dtype::f32, 1), z = p.out(dtype::f32, {width});
  p.store(z, p.load(x, type_of(dtype::f32, {width})));
  return p.result();
}

TEST_P(Memory, CopiesRaggedRowsAndWritesNothingPastTheEdge) {
  for (const index_t length : {1, 3, 4, 5, 37}) {
    program_builder p;
    const compiler::program& source = copy_program(p, 4);
    const host_array x(dtype::f32, {length}, counting(length, 1));
    const host_array whole(dtype::f32, {length + 4});
    const host_array z = whole.view({length}, {1}, 0);
    const std::uint64_t poison = whole.bits(length);
    run_here(source, {x.argument(), z.argument()}, {(length + 3) / 4});
    EXPECT_EQ(z.values<float>(), counting(length, 1));
    for (index_t i = length; i < length + 4; ++i) EXPECT_EQ(whole.bits(i), poison) << "past the edge at " << i;
  }
}

TEST_P(Memory, LoadsThroughZeroNegativeAndWideStrides) {
  const host_array base(dtype::f32, {20}, counting(20));
  const struct {
    host_array view;
    std::vector<float> expected;
  } rows[] = {{base.view({5}, {0}, 7), {7, 7, 7, 7, 7}},
              {base.view({5}, {-1}, 9), {9, 8, 7, 6, 5}},
              {base.view({5}, {3}, 2), {2, 5, 8, 11, 14}},
              {base.view({5}, {-4}, 16), {16, 12, 8, 4, 0}}};
  for (const auto& row : rows) {
    program_builder p;
    const host_array z(dtype::f32, {5});
    run_here(copy_program(p, 4), {row.view.argument(), z.argument()}, {2});
    EXPECT_EQ(z.values<float>(), row.expected);
  }
}

TEST_P(Memory, StoresThroughAnyStride) {
  for (const index_t stride : {-1, 1, 2, -3}) {
    program_builder p;
    const host_array x(dtype::f32, {5}, counting(5));
    const host_array whole(dtype::f32, {15});
    const host_array z = whole.view({5}, {stride}, stride < 0 ? 14 : 0);
    run_here(copy_program(p, 2), {x.argument(), z.argument()}, {3});
    EXPECT_EQ(z.values<float>(), counting(5)) << "stride " << stride;
  }
}

TEST_P(Memory, TransposedViewsOfTwoAxes) {
  const host_array base(dtype::i32, {3, 5}, std::vector<i32>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  program_builder p(2);
  const int x = p.in(dtype::i32, 2), z = p.out(dtype::i32, {2, 4});
  p.store(z, p.load(x, type_of(dtype::i32, {2, 4})));
  const host_array result(dtype::i32, {5, 3});
  run_here(p.result(), {base.view({5, 3}, {1, 5}, 0).argument(), result.argument()}, {3, 1});
  EXPECT_EQ(result.values<i32>(), (std::vector<i32>{0, 5, 10, 1, 6, 11, 2, 7, 12, 3, 8, 13, 4, 9, 14}));
}

TEST_P(Memory, LanesOutsideAreZeroOrThePadValue) {
  for (const bool padded : {false, true}) {
    program_builder p;
    const int x = p.in(dtype::f32, 1), z = p.out(dtype::f32, {8});
    const value_id pad = p.constant(type_of(dtype::f32), -7.5);
    const value_type tile = type_of(dtype::f32, {8});
    p.store(z, padded ? p.load_padded(x, tile, {p.index(0)}, pad) : p.load(x, tile, {p.index(0)}));
    const host_array from(dtype::f32, {3}, counting(3, 1)), to(dtype::f32, {8});
    run_here(p.result(), {from.argument(), to.argument()}, {1});
    const float lane = padded ? -7.5F : 0.0F;
    EXPECT_EQ(to.values<float>(), (std::vector<float>{1, 2, 3, lane, lane, lane, lane, lane}));
  }
}

TEST_P(Memory, PiecesAreReadAndWrittenAtTheBlocksPlace) {
  program_builder p(2);
  const int y = p.in_out(dtype::f64, {2, 2});
  const value_id piece = p.value(op::load_piece, type_of(dtype::f64, {2, 2}), {}, {y});
  p.store(y, p.like(op::add, {piece, p.constant(type_of(dtype::f64), 0.5)}));
  const host_array a(dtype::f64, {3, 3}, std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7, 8});
  run_here(p.result(), {a.argument()}, {2, 2});
  EXPECT_EQ(a.values<double>(), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5}));
}

TEST_P(Memory, APieceThatIsReadAgainHoldsWhatWasStored) {
  program_builder p;
  const int y = p.in_out(dtype::i32, {4});
  const value_type tile = type_of(dtype::i32, {4});
  const value_id before = p.value(op::load_piece, tile, {}, {y});
  p.store(y, p.like(op::add, {before, p.constant(type_of(dtype::i32), 1)}));
  p.store(y, p.like(op::multiply, {p.value(op::load_piece, tile, {}, {y}), before}));
  compiler::program source = p.result();
  source.parameters[0].facts.unit_stride[0] = source.parameters[0].facts.divides[0] = true;  // plain loads
  const host_array a(dtype::i32, {8}, std::vector<i32>{0, 1, 2, 3, 4, 5, 6, 7});
  run_here(source, {a.argument()}, {2});
  EXPECT_EQ(a.values<i32>(), (std::vector<i32>{0, 2, 6, 12, 20, 30, 42, 56}));
}

TEST_P(Memory, PositionsAndExtentsAreTheLaunchs) {
  program_builder p(2);
  const int x = p.in(dtype::f32, 2), z = p.out(dtype::index, {1, 1});
  const value_type index = type_of(dtype::index);
  value_id sum = p.value(op::block_id, index, {}, {0});
  const auto add_digit = [&](value_id digit) {
    sum = p.like(op::add, {p.like(op::multiply, {sum, p.index(100)}), digit});
  };
  add_digit(p.value(op::block_id, index, {}, {1}));
  add_digit(p.value(op::block_count, index, {}, {0}));
  add_digit(p.value(op::block_count, index, {}, {1}));
  add_digit(p.value(op::extent, index, {}, {x, 1}));
  add_digit(p.value(op::tiles, index, {}, {x, 1, 8}));
  p.store(z, p.value(op::broadcast, type_of(dtype::index, {1, 1}), {sum}));
  const host_array from(dtype::f32, {2, 17}), to(dtype::index, {2, 3});
  run_here(p.result(), {from.argument(), to.argument()}, {2, 3});
  EXPECT_EQ(to.get<i64>(0), 203'17'03);
  EXPECT_EQ(to.get<i64>(5), 102'02'03'17'03);
}

TEST_P(Memory, ScalarsOfEveryElement) {
  program_builder p;
  const int a = p.scalar(dtype::f16), b = p.scalar(dtype::i8), c = p.scalar(dtype::boolean), z = p.out(dtype::f64, {1});
  const auto widened = [&](int parameter, dtype element) {
    return p.value(op::cast, type_of(dtype::f64), {p.value(op::scalar, type_of(element), {}, {parameter})});
  };
  const value_id sum = p.like(op::add, {widened(a, dtype::f16), widened(b, dtype::i8)});
  p.store(z,
          p.value(op::broadcast, type_of(dtype::f64, {1}), {p.like(op::multiply, {sum, widened(c, dtype::boolean)})}));
  const host_array to(dtype::f64, {1});
  run_here(p.result(), {scalar_argument(f16(1.5F)), scalar_argument(i8{-3}), scalar_argument(true), to.argument()},
           {1});
  EXPECT_EQ(to.get<double>(0), -1.5);
}

TEST_P(Memory, GathersRowsByAnyIntegerElement) {
  for (const dtype element : {dtype::index, dtype::i32, dtype::u8}) {
    program_builder p(2);
    const int x = p.in(dtype::f32, 2), ids = p.in(element, 2), z = p.out(dtype::f32, {4, 2});
    const value_id rows = p.load(ids, type_of(element, {4, 1}), {p.block_id(0), p.index(0)});
    p.store(z, p.value(op::gather_rows, type_of(dtype::f32, {4, 2}), {rows, p.block_id(1)}, {x}));
    const host_array table(dtype::f32, {6, 3}, counting(18));
    const host_array chosen(element, {5, 1}, std::vector<i64>{5, 0, 0, 3, 2});
    const host_array to(dtype::f32, {5, 3});
    run_here(p.result(), {table.argument(), chosen.argument(), to.argument()}, {2, 2});
    EXPECT_EQ(to.values<float>(), (std::vector<float>{15, 16, 17, 0, 1, 2, 0, 1, 2, 9, 10, 11, 6, 7, 8}))
        << info(element).name;
  }
}

// Used in a loop, the rows have a room of their own; with one column a vector of them has a row per lane.
TEST_P(Memory, GatheredRowsMayBeReadManyTimes) {
  for (const std::int32_t columns : {1, 2}) {
    program_builder p(2);
    const int x = p.in(dtype::f32, 2), z = p.out(dtype::f32, {20, columns});
    const value_type tile = type_of(dtype::f32, {20, columns});
    const value_id numbers = p.value(op::iota, type_of(dtype::i32, {20, 1}), {}, {0});
    const value_id rows = p.value(op::gather_rows, tile, {numbers, p.index(0)}, {x});
    const auto sum = p.loop(p.index(0), p.index(3), p.index(1), {rows}, [&](value_id, const std::vector<value_id>& c) {
      return std::vector<value_id>{p.like(op::add, {c[0], rows})};
    });
    p.store(z, sum[0]);
    const host_array table(dtype::f32, {20, columns}, counting(20 * columns)), to(dtype::f32, {20, columns});
    run_here(p.result(), {table.argument(), to.argument()}, {1, 1});
    for (index_t i = 0; i < to.size(); ++i) EXPECT_EQ(to.get<float>(i), 4.0F * static_cast<float>(i)) << "at " << i;
  }
}

TEST_P(Memory, ExtentsOfZeroNeedNoMemory) {
  program_builder p;
  const int x = p.in(dtype::f32, 1), z = p.out(dtype::f32, {4});
  const value_type tile = type_of(dtype::f32, {4});
  const value_id zero = p.constant(tile, 0.0);
  const value_id tiles = p.value(op::tiles, type_of(dtype::index), {}, {x, 0, 4});
  const auto sum = p.loop(p.index(0), tiles, p.index(1), {zero}, [&](value_id k, const std::vector<value_id>& carried) {
    return std::vector<value_id>{p.like(op::add, {carried[0], p.load(x, tile, {k})})};
  });
  p.store(z, sum[0]);
  const host_array nothing(dtype::f32, {0}), to(dtype::f32, {4}), empty(dtype::f32, {0});
  run_here(p.result(), {nothing.argument(), to.argument()}, {1});
  EXPECT_EQ(to.values<float>(), (std::vector<float>{0, 0, 0, 0}));
  run_here(p.result(), {nothing.argument(), empty.argument()}, {0});
}

// ---- Loops and branches --------------------------------------------------------------------------------------------
TEST_P(Control, LoopsCarryValuesThatTradePlaces) {
  program_builder p;
  const int n = p.scalar(dtype::i64), z = p.out(dtype::index, {2});
  const value_id count = p.value(op::cast, type_of(dtype::index), {p.value(op::scalar, type_of(dtype::i64), {}, {n})});
  const auto last =
      p.loop(p.index(0), count, p.index(1), {p.index(0), p.index(1)}, [&](value_id, const std::vector<value_id>& c) {
        return std::vector<value_id>{c[1], p.like(op::add, {c[0], c[1]})};
      });
  const auto one = [&](value_id v) { return p.value(op::broadcast, type_of(dtype::index, {1}), {v}); };
  p.store(z, p.value(op::cat, type_of(dtype::index, {2}), {one(last[0]), one(last[1])}, {0}));
  const std::vector<std::vector<i64>> fibonacci = {{0, 1}, {1, 1}, {1, 2}, {2, 3}, {3, 5}, {5, 8}};
  for (std::size_t steps = 0; steps < fibonacci.size(); ++steps) {
    const host_array to(dtype::index, {2});
    run_here(p.result(), {scalar_argument(static_cast<i64>(steps)), to.argument()}, {1});
    EXPECT_EQ(to.values<i64>(), fibonacci[steps]);
  }
}

TEST_P(Control, LoopsStepOverTheirRange) {
  const struct {
    i64 from, to, step, sum, count;
  } rows[] = {{0, 10, 1, 45, 10}, {3, 10, 3, 18, 3}, {-5, 5, 4, -3, 3},
              {7, 7, 1, 0, 0},    {8, 7, 2, 0, 0},   {INT64_MAX - 1, INT64_MAX, 5, INT64_MAX - 1, 1}};
  for (const auto& row : rows) {
    program_builder p;
    const int z = p.out(dtype::index, {1});
    const auto last = p.loop(p.index(row.from), p.index(row.to), p.index(row.step), {p.index(0)},
                             [&](value_id i, const std::vector<value_id>& c) {
                               return std::vector<value_id>{p.like(op::add, {c[0], i})};
                             });
    p.store(z, p.value(op::broadcast, type_of(dtype::index, {1}), {last[0]}));
    const host_array to(dtype::index, {1});
    run_here(p.result(), {to.argument()}, {1});
    EXPECT_EQ(to.get<i64>(0), row.sum) << row.from << " to " << row.to << " by " << row.step;
  }
}

TEST_P(Control, BranchesInLoopsInLoopsCarryTiles) {
  program_builder p;
  const int z = p.out(dtype::i32, {3});
  const value_type tile = type_of(dtype::i32, {3});
  const value_id lanes = p.value(op::iota, tile, {}, {0});
  using values = std::vector<value_id>;
  const auto total =
      p.loop(p.index(0), p.index(4), p.index(1), {p.constant(tile, 0)}, [&](value_id i, const values& outer) {
        return p.loop(p.index(0), i, p.index(1), {outer[0]}, [&](value_id j, const values& inner) {
          const value_id odd = p.like(op::bit_and, {p.like(op::add, {i, j}), p.index(1)});
          const value_id is_odd = p.value(op::equal, type_of(dtype::boolean), {odd, p.index(1)});
          return p.branch(
              is_odd,
              [&] {
                return values{p.like(op::add, {inner[0], lanes})};
              },
              [&] {
                const value_id ten = p.constant(type_of(dtype::i32), 10);
                return values{p.value(op::subtract, tile, {inner[0], ten})};
              });
        });
      });
  p.store(z, total[0]);
  const host_array to(dtype::i32, {3});
  run_here(p.result(), {to.argument()}, {1});
  // Of the pairs j < i < 4, (1,0) (2,1) (3,0) (3,2) have an odd sum, (2,0) (3,1) an even one.
  EXPECT_EQ(to.values<i32>(), (std::vector<i32>{-20, -16, -12}));
}

TILEWRIGHT_ON_EVERY_BACK_END(Memory);
TILEWRIGHT_ON_EVERY_BACK_END(Control);

}  // namespace
}  // namespace tilewright::test
