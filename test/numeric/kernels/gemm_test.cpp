// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/gemm.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

using kernels::BK;

class Gemm : public KernelTest {
 protected:
  template <class T, class Z>
  static std::vector<Z> run(const matrix<T>& x, const matrix<T>& y, Shape piece, int depth) {
    return output(kernels::gemm<T, Z>().with(dim<BK>(depth))(poisoned<Z>({x.rows, y.columns}).partition(piece),
                                                             upload(x), upload(y)));
  }
  template <class T, class Z>
  static void check(index_t m, index_t n, index_t k, Shape piece, int depth) {
    SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k << " tile " << piece[0] << " x " << piece[1]
                                    << " x " << depth);
    const auto x = random_matrix<T>(m, k);
    const auto y = random_matrix<T>(k, n, 7);
    const auto reference = product_reference<Z>(x, n, [&](index_t j, index_t i) { return to_f64(y.at(i, j)); });
    expect_within(run<T, Z>(x, y, piece, depth), reference);
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Gemm);

struct gemm_case {
  index_t m, n, k, block_m, block_n;
  int depth;
};
constexpr gemm_case gemm_cases[] = {
    {1, 1, 1, 1, 1, 1},       {1, 1, 1, 16, 16, 16},    {3, 5, 7, 4, 4, 4},      {16, 16, 16, 16, 16, 16},
    {17, 33, 65, 16, 16, 16}, {65, 64, 63, 64, 64, 32}, {1, 100, 40, 1, 64, 32}, {100, 1, 40, 64, 1, 32},
};

TEST_P(Gemm, InF32KeepsItsBoundOnEveryShape) {
  for (const gemm_case& c : gemm_cases) check<f32, f32>(c.m, c.n, c.k, {c.block_m, c.block_n}, c.depth);
}

TEST_P(Gemm, InF16KeepsItsBoundOnEveryShape) {
  for (const gemm_case& c : gemm_cases) check<f16, f16>(c.m, c.n, c.k, {c.block_m, c.block_n}, c.depth);
}

TEST_P(Gemm, InBf16KeepsItsBoundOnEveryShape) {
  for (const gemm_case& c : gemm_cases) check<bf16, bf16>(c.m, c.n, c.k, {c.block_m, c.block_n}, c.depth);
}

TEST_P(Gemm, OfHalvesIntoF32KeepsTheAccumulator) { check<f16, f32>(33, 17, 100, {16, 16}, 32); }

TEST_P(Gemm, InI8IsExactOnEveryShape) {
  for (const gemm_case& c : gemm_cases) check<i8, i32>(c.m, c.n, c.k, {c.block_m, c.block_n}, c.depth);
}

TEST_P(Gemm, OfI8ExtremesIsExact) {
  const auto result = run<i8, i32>(matrix<i8>(2, 300, -128), matrix<i8>(300, 3, -128), {16, 16}, 64);
  EXPECT_EQ(result, std::vector<i32>(6, 300 * 128 * 128));
}

TEST_P(Gemm, LargerThanManyTilesKeepsItsBound) {
  if (is_interp()) GTEST_SKIP() << "too slow for the interpreter";
  // The assembler for GPUs unrolls a product of f32: large tiles take it minutes.
  check<f32, f32>(257, 383, 509, is_gpu() ? Shape{32, 32} : Shape{64, 64}, is_gpu() ? 16 : 128);
  if (!is_gpu()) check<f32, f32>(256, 384, 512, {128, 128}, 256);
  check<f16, f32>(257, 383, 509, {64, 64}, 128);
  check<i8, i32>(129, 200, 511, {64, 64}, 64);
}

// KER-02
TEST_P(Gemm, AccumulatesHalvesInF32) {
  const matrix<f16> x(1, 4096, f16(16.0f));
  const matrix<f16> y(4096, 1, f16(16.0f));
  EXPECT_EQ((run<f16, f32>(x, y, {1, 1}, 128)), std::vector<f32>{1048576.0f});
  EXPECT_EQ(to_f64(run<f16, f16>(x, y, {1, 1}, 128)[0]), infinity);
}

// KER-06
TEST_P(Gemm, IgnoresNanAroundItsViews) {
  const auto nan = from_f64<f32>(not_a_number);
  matrix<f32> x(8, 8, nan);
  matrix<f32> y(8, 8, nan);
  for (index_t i = 0; i < 10; ++i) x.at(i / 5, i % 5) = static_cast<f32>(i);
  for (index_t i = 0; i < 15; ++i) y.at(i / 3, i % 3) = static_cast<f32>(i);
  for (const int edge : {4, 16}) {
    SCOPED_TRACE(edge);
    auto z = poisoned<f32>({8, 8});
    kernels::gemm<f32>()
        .with(dim<BK>(edge))(z.slice(0, 0, 2).slice(1, 0, 3).partition({edge, edge}),
                             upload(x).slice(0, 0, 2).slice(1, 0, 5), upload(y).slice(0, 0, 5).slice(1, 0, 3))
        .sync();
    matrix<f32> result(8, 8);
    result.values = z.to_host();
    const f32 expected[2][3] = {{90, 100, 110}, {240, 275, 310}};
    for (index_t i = 0; i < 8; ++i) {
      for (index_t j = 0; j < 8; ++j) {
        if (i < 2 && j < 3) {
          EXPECT_EQ(result.at(i, j), expected[i][j]);
        } else {
          EXPECT_TRUE(std::isnan(result.at(i, j))) << i << ", " << j;
        }
      }
    }
  }
}

TEST_P(Gemm, NanReachesItsOwnRowAndColumnOnly) {
  auto x = random_matrix<f32>(5, 7);
  x.at(2, 3) = from_f64<f32>(not_a_number);
  auto y = random_matrix<f32>(7, 6);
  y.at(1, 4) = static_cast<f32>(infinity);
  const auto reference = product_reference<f32>(x, 6, [&](index_t n, index_t k) { return to_f64(y.at(k, n)); });
  expect_within(run<f32, f32>(x, y, {4, 4}, 4), reference);
}

// KER-07
TEST_P(Gemm, OfDepthZeroIsZero) {
  EXPECT_EQ((run<f32, f32>(matrix<f32>(4, 0), matrix<f32>(0, 4), {4, 4}, 16)), std::vector<f32>(16, 0.0f));
  EXPECT_EQ((run<i8, i32>(matrix<i8>(3, 0), matrix<i8>(0, 5), {4, 4}, 16)), std::vector<i32>(15, 0));
}

// KER-07: a schedule that counts tiles, as those of GPUs do, counts none.
TEST_P(Gemm, OfNothingIsRightWhateverTheSchedule) {
  const auto scheduled = kernels::gemm<f32>().with(BK = 16, persistent, swizzle(4));
  const auto of = [&](index_t m, index_t k, index_t n) {
    return output(
        scheduled(poisoned<f32>({m, n}).partition({4, 4}), upload(matrix<f32>(m, k)), upload(matrix<f32>(k, n))));
  };
  EXPECT_EQ(of(4, 0, 4), std::vector<f32>(16, 0.0f));
  EXPECT_EQ(of(9, 0, 17), std::vector<f32>(153, 0.0f));
  EXPECT_TRUE(of(0, 5, 4).empty());
  EXPECT_TRUE(of(4, 5, 0).empty());
}

// KER-07
TEST_P(Gemm, WithoutRowsOrColumnsDoesNothing) {
  EXPECT_TRUE((run<f32, f32>(matrix<f32>(0, 5), matrix<f32>(5, 4), {4, 4}, 16)).empty());
  EXPECT_TRUE((run<f32, f32>(matrix<f32>(4, 5), matrix<f32>(5, 0), {4, 4}, 16)).empty());
}

class Gemv : public KernelTest {
 protected:
  template <class T, class Z>
  static void check(index_t m, index_t k, index_t rows, int depth) {
    SCOPED_TRACE(testing::Message() << m << " x " << k << " tile " << rows << " x " << depth);
    const auto x = random_matrix<T>(m, k);
    const auto y = random_matrix<T>(k, 1, 7);
    const auto reference = product_reference<Z>(x, 1, [&](index_t, index_t i) { return to_f64(y.at(i, 0)); });
    expect_within(output(kernels::gemv<T, Z>().with(dim<BK>(depth))(poisoned<Z>({m}).partition({rows}), upload(x),
                                                                    upload(y.values))),
                  reference);
  }
};
TILEWRIGHT_ON_EACH_BACK_END(Gemv);

TEST_P(Gemv, KeepsItsBoundOnEveryShape) {
  check<f32, f32>(1, 1, 1, 1);
  check<f32, f32>(5, 0, 4, 16);
  check<f32, f32>(0, 5, 4, 16);
  check<f32, f32>(17, 65, 4, 16);
  check<f32, f32>(64, 256, 16, 256);
  check<f16, f32>(33, 100, 8, 64);
  check<bf16, bf16>(33, 100, 8, 64);
  check<i8, i32>(33, 100, 8, 64);
}

// KER-02: the sums of 4096 ones.
TEST_P(Gemv, SumsNarrowOnesExactly) {
  const auto halves =
      output(kernels::gemv<f16>()(poisoned<f16>({1}).partition({1}), upload(matrix<f16>(1, 4096, f16(1.0f))),
                                  upload(std::vector<f16>(4096, f16(1.0f)))));
  EXPECT_EQ(to_f64(halves[0]), 4096.0);
  const auto brains =
      output(kernels::gemv<bf16>()(poisoned<bf16>({1}).partition({1}), upload(matrix<bf16>(1, 10000, bf16(0.1f))),
                                   upload(std::vector<bf16>(10000, bf16(1.0f)))));
  EXPECT_EQ(to_f64(brains[0]), 1000.0);
}

}  // namespace
}  // namespace tilewright::test
