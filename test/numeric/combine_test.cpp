// SPDX-License-Identifier: Apache-2.0
// Blocks that combine tiles into shared pieces, on every back end: each combiner and element against a loop, edges,
// strides, loops and branches, and floats that are no numbers.
#include <cmath>
#include <limits>

#include "numeric/back_end_test.hpp"

namespace tilewright::test {
namespace {

using ast::op;
class Combine : public BackEndTest {};

// Block (j, i): row i of x, columns of piece j, into the piece.
const compiler::program& column_program(program_builder& p, dtype element, combiner by, std::int32_t width) {
  const int z = p.accum(element, {width}, by), x = p.in(element, 2);
  const value_id row = p.load(x, type_of(element, {1, width}), {p.block_id(1), p.block_id(0)});
  p.combine(z, p.value(op::reshape, type_of(element, {width}), {row}));
  return p.result();
}

std::uint64_t combined(combiner by, dtype element, std::uint64_t a, std::uint64_t b) {
  if (by == combiner::bit_and) return a & b;
  if (by == combiner::bit_or) return a | b;
  if (by == combiner::bit_xor) return a ^ b;
  const auto pick = [&](auto x, auto y) {
    return by == combiner::sum ? x + y : (by == combiner::min) == (y < x) ? y : x;
  };
  if (is_floating(element)) return encode(element, pick(decode_float(element, a), decode_float(element, b)));
  return encode(element, pick(decode_integer(element, a), decode_integer(element, b)));
}

// Integers of any size and sign; floats small and whole, so that sums are exact in any order.
std::uint64_t bits_at(dtype element, index_t n) {
  const std::uint64_t wild = static_cast<std::uint64_t>(n + 1) * 0x9e3779b97f4a7c15U;
  return is_floating(element) ? encode(element, static_cast<int>(wild >> 51) - 4000)
                              : low_bits(element, wild ^ wild >> 31);
}
void fill(host_array& x, index_t first) {
  for (index_t i = 0; i < x.size(); ++i) x.set_bits(i, bits_at(x.element(), first + i));
}

TEST_P(Combine, EveryElementByEveryCombinerIsWhatALoopGives) {
  for (int e = 0; e < dtype_count; ++e) {
    for (int c = 0; c < combiner_count; ++c) {
      const auto element = static_cast<dtype>(e);
      const auto by = static_cast<combiner>(c);
      if (!can_combine(by, element)) continue;
      SCOPED_TRACE(std::string(info(element).name) + " " + combiner_name(by));
      program_builder p(2);
      host_array x(element, {9, 21}), z(element, {21});
      fill(x, 0);
      fill(z, 1000);
      std::vector<std::uint64_t> expected;
      for (index_t column = 0; column < 21; ++column) {
        expected.push_back(z.bits(column));
        for (index_t row = 0; row < 9; ++row) {
          expected.back() = combined(by, element, expected.back(), x.bits(row * 21 + column));
        }
      }
      run_here(column_program(p, element, by, 8), {z.argument(), x.argument()}, {3, 9});
      for (index_t column = 0; column < 21; ++column) {
        EXPECT_EQ(z.bits(column), expected[static_cast<std::size_t>(column)]) << column;
      }
    }
  }
}

TEST_P(Combine, AnyShapeAndNumberOfBlocksWritesNothingPastTheEdge) {
  for (const std::int32_t width : {1, 3, 4, 16}) {
    for (const index_t columns : {0, 1, 3, 4, 5, 37}) {
      for (const index_t rows : {0, 1, 2, 33}) {
        SCOPED_TRACE(testing::PrintToString(std::vector<index_t>{width, columns, rows}));
        program_builder p(2);
        host_array x(dtype::i32, {rows, columns}), whole(dtype::i32, {columns + 16});
        fill(x, 7);
        fill(whole, 500);
        const host_array before = whole.clone(), z = whole.view({columns}, {1}, 0);
        const index_t pieces = (columns + width - 1) / width;
        run_here(column_program(p, dtype::i32, combiner::sum, width), {z.argument(), x.argument()}, {pieces, rows});
        for (index_t column = 0; column < columns + 16; ++column) {
          std::uint64_t expected = before.bits(column);
          for (index_t row = 0; row < rows && column < columns; ++row) {
            expected = combined(combiner::sum, dtype::i32, expected, x.bits(row * columns + column));
          }
          ASSERT_EQ(whole.bits(column), expected) << column;
        }
      }
    }
  }
}

TEST_P(Combine, ThroughAnyStride) {
  for (const index_t stride : {-1, 1, 2, -3}) {
    program_builder p(2);
    host_array x(dtype::f32, {6, 5}), whole(dtype::f32, {15});
    fill(x, 3);
    for (index_t i = 0; i < 15; ++i) whole.set(i, 100);
    const host_array z = whole.view({5}, {stride}, stride < 0 ? 14 : 0);
    run_here(column_program(p, dtype::f32, combiner::sum, 2), {z.argument(), x.argument()}, {3, 6});
    for (index_t column = 0; column < 5; ++column) {
      float expected = 100;
      for (index_t row = 0; row < 6; ++row) expected += x.get<float>(row * 5 + column);
      EXPECT_EQ(z.get<float>(column), expected) << "stride " << stride << ", column " << column;
    }
  }
}

TEST_P(Combine, PiecesOfThreeAxesAndOfNone) {
  program_builder p(4);
  const int z = p.accum(dtype::i64, {2, 1, 4}), total = p.accum(dtype::i64, {}), x = p.in(dtype::i64, 3);
  const value_id tile = p.load(x, type_of(dtype::i64, {2, 1, 4}));
  p.combine(z, tile);
  p.combine(total, p.value(op::cast, type_of(dtype::i64), {p.block_id(3)}));
  host_array from(dtype::i64, {3, 2, 5}), to(dtype::i64, {3, 2, 5}), sum(dtype::i64, {}, std::vector<i64>{5});
  for (index_t i = 0; i < 30; ++i) {
    from.set(i, i);
    to.set(i, 1000);
  }
  run_here(p.result(), {to.argument(), sum.argument(), from.argument()}, {2, 2, 2, 3});
  for (index_t i = 0; i < 30; ++i) EXPECT_EQ(to.get<i64>(i), 1000 + 3 * i);
  EXPECT_EQ(sum.get<i64>(0), 5 + 8 * (0 + 1 + 2));
}

// Each block twice in a loop, and those of odd number once more.
TEST_P(Combine, InLoopsAndBranches) {
  program_builder p(2);
  const int z = p.accum(dtype::i32, {4});
  const value_type tile = type_of(dtype::i32, {4});
  const value_id number = p.value(op::cast, type_of(dtype::i32), {p.block_id(1)});
  const value_id numbers = p.value(op::broadcast, tile, {number});
  p.loop(p.index(0), p.index(2), p.index(1), {}, [&](value_id, const std::vector<value_id>&) {
    p.combine(z, numbers);
    return std::vector<value_id>{};
  });
  const value_id parity = p.like(op::bit_and, {number, p.constant(type_of(dtype::i32), 1)});
  const value_id is_odd = p.value(op::equal, type_of(dtype::boolean), {parity, p.constant(type_of(dtype::i32), 1)});
  p.branch(
      is_odd,
      [&] {
        p.combine(z, p.constant(tile, 1000));
        return std::vector<value_id>{};
      },
      [] { return std::vector<value_id>{}; });
  const host_array to(dtype::i32, {7}, std::vector<i32>(7, 3));
  run_here(p.result(), {to.argument()}, {2, 10});
  EXPECT_EQ(to.values<i32>(), std::vector<i32>(7, 3 + 2 * 45 + 5 * 1000));
}

// ---- Floats --------------------------------------------------------------------------------------------------------
// Each column: what is in memory, and what two blocks combine. As minimum and maximum of tiles: NaN wins, -0 < +0.
TEST_P(Combine, LeastAndGreatestOfFloatsAreThoseOfTiles) {
  const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> special = {0.0, -0.0, 1.0, -1.0, 1e-310, -1e30, infinity, -infinity, nan, -nan};
  for (const dtype element : {dtype::f32, dtype::f64}) {
    for (const combiner by : {combiner::min, combiner::max}) {
      const auto count = static_cast<index_t>(special.size()), cases = count * count * count;
      host_array x(element, {2, cases}), z(element, {cases});
      for (index_t i = 0; i < cases; ++i) {
        const auto at = [&](index_t n) { return special[static_cast<std::size_t>(n % count)]; };
        z.set(i, at(i));
        x.set(i, at(i / count));
        x.set(cases + i, at(i / count / count));
      }
      const host_array before = z.clone();
      program_builder p(2);
      run_here(column_program(p, element, by, 32), {z.argument(), x.argument()}, {(cases + 31) / 32, 2});
      for (index_t i = 0; i < cases; ++i) {
        const double all[] = {before.get<double>(i), x.get<double>(i), x.get<double>(cases + i)};
        double expected = all[0];
        for (const double next : all) {
          if (std::isnan(expected) || std::isnan(next)) {
            expected = nan;
          } else if (next == expected) {
            expected = std::signbit(next) == (by == combiner::min) ? next : expected;
          } else if ((next < expected) == (by == combiner::min)) {
            expected = next;
          }
        }
        const auto got = z.get<double>(i);
        ASSERT_TRUE(std::isnan(expected) ? std::isnan(got)
                                         : got == expected && std::signbit(got) == std::signbit(expected))
            << combiner_name(by) << " of " << all[0] << ", " << all[1] << ", " << all[2] << " gave " << got;
      }
    }
  }
}

// The order is open, so the bound is that of any order: (n - 1) roundings of partial sums that the sum of magnitudes
// bounds.
TEST_P(Combine, ASumOfFloatsIsWithinTheBoundOfAnyOrder) {
  constexpr index_t rows = 1000, columns = 20;
  program_builder p(2);
  host_array x(dtype::f32, {rows, columns}), z(dtype::f32, {columns});
  for (index_t i = 0; i < x.size(); ++i) x.set(i, std::sin(static_cast<double>(i) * 0.7) * std::exp2(i % 13));
  for (index_t i = 0; i < columns; ++i) z.set(i, 0.5);
  run_here(column_program(p, dtype::f32, combiner::sum, 16), {z.argument(), x.argument()}, {2, rows});
  for (index_t column = 0; column < columns; ++column) {
    double sum = 0.5, magnitudes = 0.5;
    for (index_t row = 0; row < rows; ++row) {
      sum += x.get<double>(row * columns + column);
      magnitudes += std::abs(x.get<double>(row * columns + column));
    }
    EXPECT_NEAR(z.get<double>(column), sum, rows * 0x1p-24 * magnitudes) << column;
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(Combine);

}  // namespace
}  // namespace tilewright::test
