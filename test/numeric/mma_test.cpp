// SPDX-License-Identifier: Apache-2.0
// Matrix products and batches of them on every back end: element types, odd shapes, accumulators, ragged edges next to
// NaN.
#include <random>

#include "numeric/back_end_test.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/tile_computation.hpp"
#include "tilewright/ast/products.hpp"

namespace tilewright::test {
namespace {

using ast::op;

class Mma : public BackEndTest {};

struct product_shape {
  index_t m, k, n;
  index_t batch = 0;  // of rank 2
};
constexpr product_shape shapes[] = {{1, 1, 1},    {3, 5, 7},  {16, 16, 16}, {37, 33, 17},  {64, 32, 48},
                                    {1, 64, 100}, {50, 1, 3}, {5, 100, 1},  {128, 7, 130}, {8, 256, 16}};
constexpr product_shape batches[] = {{1, 1, 1, 1},    {3, 5, 7, 1},   {3, 5, 7, 4},   {16, 16, 16, 2},
                                     {37, 33, 17, 3}, {1, 64, 40, 5}, {5, 1, 3, 2},   {1, 1, 1, 19},
                                     {5, 100, 1, 3},  {1, 9, 1, 17},  {16, 7, 66, 2}, {8, 40, 16, 7}};

struct product_elements {
  dtype left, right, sum;
};
constexpr product_elements every_product[] = {
    {dtype::f16, dtype::f16, dtype::f32},       {dtype::f16, dtype::f16, dtype::f16},
    {dtype::bf16, dtype::bf16, dtype::f32},     {dtype::f8e4m3, dtype::f8e4m3, dtype::f32},
    {dtype::f8e4m3, dtype::f8e4m3, dtype::f16}, {dtype::f8e5m2, dtype::f8e5m2, dtype::f32},
    {dtype::f8e5m2, dtype::f8e5m2, dtype::f16}, {dtype::f32, dtype::f32, dtype::f32},
    {dtype::tf32, dtype::tf32, dtype::f32},     {dtype::f64, dtype::f64, dtype::f64},
    {dtype::i8, dtype::i8, dtype::i32},         {dtype::u8, dtype::u8, dtype::i32},
    {dtype::i8, dtype::u8, dtype::i32},         {dtype::u8, dtype::i8, dtype::i32}};

std::string name_of(const product_elements& p) {
  return std::string(info(p.left).name) + " by " + info(p.right).name + " in " + info(p.sum).name;
}

host_array random_matrices(dtype element, index_t batch, index_t rows, index_t columns, unsigned seed) {
  std::mt19937 random(seed);
  host_array made(element, {rows, columns});
  if (batch != 0) made = host_array(element, {batch, rows, columns});
  for (index_t i = 0; i < made.size(); ++i) {
    const int value = static_cast<int>(random() % 256) - 128;
    if (is_floating(element)) made.set(i, value / 64.0);
    if (!is_floating(element)) made.set(i, value);
  }
  return made;
}

// What one rounding of a sum may err by, of its magnitude.
real rounding_of(dtype sum) { return std::ldexp(real{1}, -info(sum).mantissa_bits); }

struct exact_sum {
  real value, magnitudes;
};
exact_sum exact_element(const product_elements& p, const product_shape& s, const host_array& a, const host_array& b,
                        const host_array& c, index_t i) {
  exact_sum sum{decode(p.sum, c.bits(i)), 0};
  sum.magnitudes = std::fabs(sum.value);
  const index_t row = i / s.n, first_of_b = row / s.m * s.k * s.n + i % s.n;
  for (index_t k = 0; k < s.k; ++k) {
    const real product = decode(p.left, a.bits(row * s.k + k)) * decode(p.right, b.bits(first_of_b + k * s.n));
    sum.value += product;
    sum.magnitudes += std::fabs(product);
  }
  return sum;
}

// Sums may err by K + 1 roundings of the sum of magnitudes; integers, whose every value is tried, not at all.
void expect_in_bound(const back_end& where, const product_elements& p, const product_shape& s, bool is_fast = false) {
  SCOPED_TRACE(testing::Message() << name_of(p) << " " << s.batch << ": " << s.m << "x" << s.k << "x" << s.n);
  const host_array a = random_matrices(p.left, s.batch, s.m, s.k, 3),
                   b = random_matrices(p.right, s.batch, s.k, s.n, 5);
  const host_array c = random_matrices(p.sum, s.batch, s.m, s.n, 7);
  const host_array got = compute_tile(where, op::mma, tile_of(c), {a, b, c}, {is_fast ? 1 : 0});
  index_t wrong = 0;
  std::string first;
  for (index_t i = 0; i < c.size(); ++i) {
    const exact_sum exact = exact_element(p, s, a, b, c, i);
    if (p.sum == dtype::i32) {
      if (got.get<i64>(i) == static_cast<i64>(exact.value)) continue;
      if (wrong++ < 6)
        first += " " + std::to_string(i) + ": " + std::to_string(got.get<i64>(i)) + " for " +
                 std::to_string(static_cast<i64>(exact.value)) + ";";
    } else {
      // Tensor cores add products of fp8 at one exponent, and cut what lies below 13 bits; by themselves each time.
      const bool is_cut = is_fp8(p.left) && compiler::is_gpu(where.where);
      const real cuts = is_fast ? static_cast<real>(s.k / 16 + 1) : 1;
      const real cut = is_cut ? cuts * std::ldexp(exact.magnitudes, -12) : 0;
      const real slack = static_cast<real>(s.k + 1) * rounding_of(p.sum) * exact.magnitudes + cut;
      const auto spacings = static_cast<double>(slack / spacing(p.sum, exact.value));
      ASSERT_TRUE(is_close(p.sum, got.bits(i), exact.value, spacings)) << i;
    }
  }
  EXPECT_EQ(wrong, 0) << "of " << c.size() << first;
}

TEST_P(Mma, StaysInItsBoundForEveryElementAndShape) {
  for (const product_elements& p : every_product) {
    for (const product_shape& s : shapes) expect_in_bound(GetParam(), p, s);
  }
}

TEST_P(Mma, OfABatchStaysInItsBoundForEveryElementAndShape) {
  for (const product_elements& p : every_product) {
    for (const product_shape& s : batches) expect_in_bound(GetParam(), p, s);
  }
}

TEST_P(Mma, WithAFastSumStaysInItsWiderBound) {
  for (const product_elements& p : every_product) {
    if (!ast::has_fast_sum(p.left, p.sum)) continue;
    for (const product_shape& s : shapes) expect_in_bound(GetParam(), p, s, true);
    for (const product_shape& s : batches) expect_in_bound(GetParam(), p, s, true);
  }
}

// 1 + 2^-10 is a tf32, 1 + 2^-11 rounds to 1: what is multiplied is rounded first, its product is not.
TEST_P(Mma, FactorsOfTf32AreRoundedOnce) {
  const float odd = 1 + 0x1p-10F, between = 1 + 0x1p-11F;
  program_builder p(2);
  const int x = p.in(dtype::f32, 2), y = p.in(dtype::f32, 2), z = p.out(dtype::f32, {1, 2});
  const auto factor = [&](int from, std::int32_t rows, std::int32_t columns) {
    const value_id loaded = p.load(from, type_of(dtype::f32, {rows, columns}));
    return p.value(op::cast, type_of(dtype::tf32, {rows, columns}), {loaded});
  };
  const value_type sum = type_of(dtype::f32, {1, 2});
  p.store(z, p.value(op::mma, sum, {factor(x, 1, 1), factor(y, 1, 2), p.constant(sum, 0.0)}, {0}));
  const host_array left(dtype::f32, {1, 1}, std::vector<float>{odd});
  const host_array right(dtype::f32, {1, 2}, std::vector<float>{odd, between}), to(dtype::f32, {1, 2});
  run_here(p.result(), {left.argument(), right.argument(), to.argument()}, {1, 1});
  EXPECT_EQ(to.get<float>(0), odd * odd);
  EXPECT_EQ(to.get<float>(1), odd);
}

// Both factors turned on the way, which costs the cpu no room: z = transpose(x) transpose(y) in each of the batch.
TEST_P(Mma, OfABatchTakesTransposedFactors) {
  for (const product_shape& s : batches) {
    SCOPED_TRACE(testing::Message() << s.batch << ": " << s.m << "x" << s.k << "x" << s.n);
    const auto extents = [&](index_t rows, index_t columns) {
      return std::vector<std::int32_t>{static_cast<std::int32_t>(s.batch), static_cast<std::int32_t>(rows),
                                       static_cast<std::int32_t>(columns)};
    };
    program_builder p(3);
    const int x = p.in(dtype::f32, 3), y = p.in(dtype::f32, 3), z = p.out(dtype::f32, extents(s.m, s.n));
    const auto turned = [&](int from, index_t rows, index_t columns) {
      const value_id loaded = p.load(from, type_of(dtype::f32, extents(columns, rows)));
      return p.value(op::permute, type_of(dtype::f32, extents(rows, columns)), {loaded}, {0x120});
    };
    const value_type sum = type_of(dtype::f32, extents(s.m, s.n));
    p.store(z, p.value(op::mma, sum, {turned(x, s.m, s.k), turned(y, s.k, s.n), p.constant(sum, 0.0)}, {0}));
    const host_array from_x = random_matrices(dtype::f32, s.batch, s.k, s.m, 3);
    const host_array from_y = random_matrices(dtype::f32, s.batch, s.n, s.k, 5);
    const host_array to(dtype::f32, {s.batch, s.m, s.n});
    run_here(p.result(), {from_x.argument(), from_y.argument(), to.argument()}, {1, 1, 1});
    for (index_t i = 0; i < to.size(); ++i) {
      const index_t n = i % s.n, m = i / s.n % s.m, batch = i / s.n / s.m;
      double exact = 0;  // of 64ths times 64ths, in f32 too
      for (index_t k = 0; k < s.k; ++k) {
        exact += from_x.get<double>((batch * s.k + k) * s.m + m) * from_y.get<double>((batch * s.n + n) * s.k + k);
      }
      ASSERT_EQ(to.get<double>(i), exact) << i;
    }
  }
}

// Every byte by every byte: what differs between the signs is the upper half of each factor.
TEST_P(Mma, BytesCountWithTheirOwnSigns) {
  for (const product_elements& p : every_product) {
    if (p.sum != dtype::i32) continue;
    host_array a(p.left, {256, 1}), b(p.right, {1, 256}), c(dtype::i32, {256, 256});
    for (index_t n = 0; n < 256; ++n) {
      a.set(n, n - (is_signed(p.left) ? 128 : 0));
      b.set(n, n - (is_signed(p.right) ? 128 : 0));
    }
    for (index_t i = 0; i < c.size(); ++i) c.set(i, 0);
    const host_array got = compute_tile(GetParam(), op::mma, tile_of(c), {a, b, c}, {0});
    for (index_t i = 0; i < c.size(); ++i) {
      ASSERT_EQ(got.get<i64>(i), a.get<i64>(i / 256) * b.get<i64>(i % 256)) << name_of(p) << " element " << i;
    }
  }
}

// 4096 and 1 are each an f16, their sum is not: a sum in f16 is one, whatever it was summed in.
TEST_P(Mma, SumsInHalfPrecisionAreHalfPrecision) {
  const host_array a(dtype::f16, {1, 2}, std::vector<float>{64, 1}), b(dtype::f16, {2, 1}, std::vector<float>{64, 1});
  for (const dtype sum : {dtype::f16, dtype::f32}) {
    const host_array c(sum, {1, 1}, std::vector<float>{0});
    const float got = compute_tile(GetParam(), op::mma, tile_of(c), {a, b, c}, {0}).get<float>(0);
    EXPECT_EQ(got, sum == dtype::f16 ? 4096.0F : 4097.0F) << info(sum).name;
  }
}

TEST_P(Mma, IntegersWrapInTheirAccumulator) {
  const host_array a(dtype::i8, {1, 2}, std::vector<i32>{-128, 127}), b(dtype::i8, {2, 1}, std::vector<i32>{-128, 127});
  const host_array c(dtype::i32, {1, 1}, std::vector<i32>{INT32_MAX});
  const host_array got = compute_tile(GetParam(), op::mma, tile_of(c), {a, b, c}, {0});
  EXPECT_EQ(got.get<i64>(0), INT32_MIN + 16384 + 16129 - 1);
}

TEST_P(Mma, SumsOfManyHalfPrecisionProductsReachTheirValue) {
  const host_array a(dtype::f16, {1, 4096}, std::vector<float>(4096, 16)),
      b(dtype::f16, {4096, 1}, std::vector<float>(4096, 16));
  const host_array c(dtype::f32, {1, 1}, std::vector<float>{0});
  EXPECT_EQ(compute_tile(GetParam(), op::mma, tile_of(c), {a, b, c}, {0}).get<float>(0), 1048576.0F);
}

TEST_P(Mma, NanAndInfinityComeThrough) {
  const float nan = std::nanf("");
  const host_array a(dtype::f32, {2, 2}, std::vector<float>{1, 2, 3, 4});
  const host_array b(dtype::f32, {2, 2}, std::vector<float>{nan, 1, 0, HUGE_VALF});
  const host_array c(dtype::f32, {2, 2}, std::vector<float>{0, 0, 0, nan});
  const host_array got = compute_tile(GetParam(), op::mma, tile_of(c), {a, b, c}, {0});
  EXPECT_TRUE(std::isnan(got.get<float>(0)));
  EXPECT_EQ(got.get<float>(1), HUGE_VALF);
  EXPECT_TRUE(std::isnan(got.get<float>(2)));
  EXPECT_TRUE(std::isnan(got.get<float>(3)));
}

// By way of i8 and back, which changes nothing here; 17 columns leave one lane beside a whole vector.
TEST_P(Mma, OperandsMayBeConvertedOnTheWay) {
  for (const dtype element : {dtype::f16, dtype::bf16}) {
    for (const std::int32_t columns : {1, 5, 16, 17, 33}) {
      program_builder p(2);
      const int x = p.in(element, 2), y = p.in(element, 2), z = p.out(dtype::f32, {2, columns});
      const value_type right = type_of(element, {3, columns}), sum = type_of(dtype::f32, {2, columns});
      const value_id whole = p.value(op::cast, type_of(dtype::i8, {3, columns}), {p.load(y, right)});
      const value_id a = p.load(x, type_of(element, {2, 3})), b = p.value(op::cast, right, {whole});
      p.store(z, p.value(op::mma, sum, {a, b, p.constant(sum, 0.0)}, {0}));
      compiler::program source = p.result();
      source.parameters[1].facts.unit_stride[1] = true;
      source.parameters[1].facts.divides.fill(true);  // loads without a mask
      const host_array left(element, {2, 3}, std::vector<int>{1, 2, 3, -1, 0, 1}), to(dtype::f32, {2, columns});
      host_array from(element, {3, columns});
      for (index_t i = 0; i < from.size(); ++i) from.set(i, i - 50);
      run_here(source, {left.argument(), from.argument(), to.argument()}, {1, 1});
      for (std::int32_t n = 0; n < columns; ++n) {
        EXPECT_EQ(to.get<int>(n), 6 * (n - 50) + 8 * columns) << info(element).name << " of " << columns;
        EXPECT_EQ(to.get<int>(columns + n), 2 * columns) << info(element).name << " of " << columns;
      }
    }
  }
}

// z = x * y in tiles of `width` on each axis, looping over K.
const compiler::program& gemm(program_builder& p, std::int32_t width) {
  const int x = p.in(dtype::f32, 2), y = p.in(dtype::f32, 2), z = p.out(dtype::f32, {width, width});
  const value_type tile = type_of(dtype::f32, {width, width});
  const value_id steps = p.value(op::tiles, type_of(dtype::index), {}, {x, 1, width});
  const value_id row = p.block_id(0), column = p.block_id(1);
  const auto sum =
      p.loop(p.index(0), steps, p.index(1), {p.constant(tile, 0.0)}, [&](value_id k, const std::vector<value_id>& c) {
        const value_id a = p.load(x, tile, {row, k}), b = p.load(y, tile, {k, column});
        return std::vector<value_id>{p.value(op::mma, tile, {a, b, c[0]}, {0})};
      });
  p.store(z, sum[0]);
  return p.result();
}

TEST_P(Mma, RaggedEdgesIgnoreWhateverLiesBesideThem) {
  for (const std::int32_t width : {1, 2, 3, 4, 16}) {
    const std::vector<float> poison(64, std::nanf(""));
    const host_array around_x(dtype::f32, {64}, poison), around_y(dtype::f32, {64}, poison);
    const host_array around_z(dtype::f32, {64}, poison);
    host_array x = around_x.view({2, 5}, {8, 1}, 0), y = around_y.view({5, 3}, {8, 1}, 0);
    const host_array z = around_z.view({2, 3}, {8, 1}, 0);
    for (index_t i = 0; i < x.size(); ++i) x.set(i, i);
    for (index_t i = 0; i < y.size(); ++i) y.set(i, i);
    program_builder p(2);
    run_here(gemm(p, width), {x.argument(), y.argument(), z.argument()},
             {(2 + width - 1) / width, (3 + width - 1) / width});
    EXPECT_EQ(z.values<float>(), (std::vector<float>{90, 100, 110, 240, 275, 310})) << "tiles of " << width;
    for (index_t i = 0; i < 64; ++i) {
      const bool written = i / 8 < 2 && i % 8 < 3;
      EXPECT_EQ(std::isnan(around_z.get<float>(i)), !written) << "tiles of " << width << ", word " << i;
    }
  }
}

// z = x * y of a batch, in tiles of `width` on each axis; the batch is cut too.
const compiler::program& batched_gemm(program_builder& p, std::int32_t width) {
  const int x = p.in(dtype::f32, 3), y = p.in(dtype::f32, 3), z = p.out(dtype::f32, {width, width, width});
  const value_type tile = type_of(dtype::f32, {width, width, width});
  const value_id steps = p.value(op::tiles, type_of(dtype::index), {}, {x, 2, width});
  const value_id batch = p.block_id(0), row = p.block_id(1), column = p.block_id(2);
  const auto sum =
      p.loop(p.index(0), steps, p.index(1), {p.constant(tile, 0.0)}, [&](value_id k, const std::vector<value_id>& c) {
        const value_id a = p.load(x, tile, {batch, row, k}), b = p.load(y, tile, {batch, k, column});
        return std::vector<value_id>{p.value(op::mma, tile, {a, b, c[0]}, {0})};
      });
  p.store(z, sum[0]);
  return p.result();
}

TEST_P(Mma, RaggedBatchesIgnoreWhateverLiesBesideThem) {
  for (const std::int32_t width : {1, 2, 4, 8}) {
    const std::vector<float> poison(256, std::nanf(""));
    const host_array around_x(dtype::f32, {256}, poison), around_y(dtype::f32, {256}, poison);
    const host_array around_z(dtype::f32, {256}, poison);
    host_array x = around_x.view({3, 2, 5}, {64, 8, 1}, 0), y = around_y.view({3, 5, 3}, {64, 8, 1}, 0);
    const host_array z = around_z.view({3, 2, 3}, {64, 8, 1}, 0);
    for (index_t i = 0; i < x.size(); ++i) x.set(i, i % 10);
    for (index_t i = 0; i < y.size(); ++i) y.set(i, i % 15 * (1 + i / 15));
    program_builder p(3);
    run_here(batched_gemm(p, width), {x.argument(), y.argument(), z.argument()},
             {(3 + width - 1) / width, (2 + width - 1) / width, (3 + width - 1) / width});
    const std::vector<float> first = {90, 100, 110, 240, 275, 310};
    for (index_t i = 0; i < 18; ++i) {
      EXPECT_EQ(z.get<float>(i), first[static_cast<std::size_t>(i % 6)] * static_cast<float>(1 + i / 6))
          << "tiles of " << width << ", element " << i;
    }
    for (index_t i = 0; i < 256; ++i) {
      const bool is_written = i / 64 < 3 && i % 64 / 8 < 2 && i % 8 < 3;
      EXPECT_EQ(std::isnan(around_z.get<float>(i)), !is_written) << "tiles of " << width << ", word " << i;
    }
  }
}

TEST_P(Mma, AnEmptyInnerAxisGivesZeros) {
  program_builder p(2);
  const host_array x(dtype::f32, {4, 0}), y(dtype::f32, {0, 4}), z(dtype::f32, {4, 4});
  run_here(gemm(p, 4), {x.argument(), y.argument(), z.argument()}, {1, 1});
  EXPECT_EQ(z.values<float>(), std::vector<float>(16, 0));
  program_builder q(3);
  const host_array none(dtype::f32, {2, 4, 0}), left(dtype::f32, {2, 0, 4}), zeros(dtype::f32, {2, 4, 4});
  run_here(batched_gemm(q, 4), {none.argument(), left.argument(), zeros.argument()}, {1, 1, 1});
  EXPECT_EQ(zeros.values<float>(), std::vector<float>(32, 0));
}

TILEWRIGHT_ON_EVERY_BACK_END(Mma);

}  // namespace
}  // namespace tilewright::test
