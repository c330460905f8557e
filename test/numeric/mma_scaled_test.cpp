// SPDX-License-Identifier: Apache-2.0
// mma_scaled on every back end, of each pair of elements and depth of blocks: against a sum in f64 of what the codes
// stand for.
#include "numeric/back_end_test.hpp"
#include "numeric/lang_run.hpp"
#include "support/element_bits.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::test {
namespace {

struct product_form {
  int m, n, k, depth;
};

template <class T, class Scale, product_form F>
constexpr auto scaled = kernel<"scaled">([](Block b, Out<f32, F.m, F.n> z, In<u8, dyn, dyn> x,
                                            In<u8, dyn, dyn> x_scales, In<u8, dyn, dyn> y, In<u8, dyn, dyn> y_scales,
                                            In<f32, dyn, dyn> c) {
  auto left = bitcast<T>(x.load(tile<F.m, F.k>, 0, 0));
  auto right = bitcast<T>(y.load(tile<F.k, F.n>, 0, 0));
  auto of_left = bitcast<Scale>(x_scales.load(tile<F.m, F.k / F.depth>, 0, 0));
  auto of_right = bitcast<Scale>(y_scales.load(tile<F.k / F.depth, F.n>, 0, 0));
  z.store(mma_scaled(left, of_left, right, of_right, c.load(tile<F.m, F.n>, b.pid(0), b.pid(1))));
});

// Codes of finite numbers, signs among them; of f8e8m0 those of numbers around 1.
host_array codes_of(dtype element, index_t rows, index_t columns, std::uint64_t seed) {
  host_array made(dtype::u8, {rows, columns});
  for (index_t i = 0; i < made.size(); ++i) {
    std::uint64_t bits = (static_cast<std::uint64_t>(i) * 2654435761U + seed * 97) >> 7 & 0xff;
    if (element == dtype::f8e8m0) bits = 120 + bits % 15;
    bits = low_bits(element, bits);
    if (!std::isfinite(decode(element, bits))) bits &= 0x9b;
    made.set_bits(i, bits);
  }
  return made;
}

class ScaledMma : public BackEndTest {
 protected:
  template <class T, class Scale, product_form F>
  static std::vector<host_array> operands() {
    host_array c(dtype::f32, {F.m, F.n});
    for (index_t i = 0; i < c.size(); ++i) c.set_bits(i, encode(dtype::f32, static_cast<double>(i % 7) - 3));
    return {codes_of(dtype_of<T>, F.m, F.k, 1), codes_of(dtype_of<Scale>, F.m, F.k / F.depth, 2),
            codes_of(dtype_of<T>, F.k, F.n, 3), codes_of(dtype_of<Scale>, F.k / F.depth, F.n, 4), c};
  }
  template <class T, class Scale, product_form F>
  host_array product(const std::vector<host_array>& of) {
    const host_array z(dtype::f32, {F.m, F.n});
    std::vector<compiler::argument> arguments = {z.argument()};
    for (const host_array& each : of) arguments.push_back(each.argument());
    arguments[0].piece = {F.m, F.n};
    run_module(scaled<T, Scale, F>.module(), GetParam(), arguments);
    return z;
  }

  template <class T, class Scale, product_form F>
  void expect_sums() {
    SCOPED_TRACE(testing::Message() << info(dtype_of<T>).name << " by " << info(dtype_of<Scale>).name << ", " << F.m
                                    << " by " << F.k << " by " << F.n << ", blocks of " << F.depth);
    const std::vector<host_array> of = operands<T, Scale, F>();
    const host_array z = product<T, Scale, F>(of);
    const auto at = [&](std::size_t which, dtype element, index_t place) {
      return static_cast<double>(decode(element, of[which].bits(place)));
    };
    const auto scale = [&](std::size_t which, index_t place) { return std::fabs(at(which, dtype_of<Scale>, place)); };
    for (index_t i = 0; i < F.m; ++i) {
      for (index_t j = 0; j < F.n; ++j) {
        double sum = at(4, dtype::f32, i * F.n + j), magnitude = std::fabs(sum);
        for (index_t k = 0; k < F.k; ++k) {
          const index_t block = k / F.depth;
          const double term = at(0, dtype_of<T>, i * F.k + k) * scale(1, i * (F.k / F.depth) + block) *
                              at(2, dtype_of<T>, k * F.n + j) * scale(3, block * F.n + j);
          sum += term;
          magnitude += std::fabs(term);
        }
        const double got = static_cast<double>(decode(dtype::f32, z.bits(i * F.n + j)));
        ASSERT_LE(std::fabs(got - sum), 0x1p-23 * (F.k + 2) * magnitude) << i << ", " << j;
      }
    }
  }
};

constexpr product_form square{16, 16, 64, 32}, narrow{1, 2, 32, 32}, fine{16, 8, 64, 16}, one_block{4, 8, 16, 16};

TEST_P(ScaledMma, OfEachPairOfElementsIsSummedInF32) {
  expect_sums<f8e4m3, f8e8m0, square>();
  expect_sums<f8e5m2, f8e8m0, square>();
  expect_sums<f8e4m3, f8e8m0, narrow>();
  expect_sums<f4e2m1, f8e8m0, square>();
  expect_sums<f4e2m1, f8e8m0, fine>();
  expect_sums<f4e2m1, f8e8m0, one_block>();
  expect_sums<f4e2m1, f8e4m3, fine>();
  expect_sums<f4e2m1, f8e4m3, one_block>();
}

TEST_P(ScaledMma, OfExtentsThatAreNoPowersOfTwo) {
  if (compiler::is_gpu(GetParam().where)) GTEST_SKIP() << "K is a power of two there";
  expect_sums<f4e2m1, f8e8m0, product_form{3, 5, 96, 32}>();
  expect_sums<f4e2m1, f8e4m3, product_form{7, 9, 48, 16}>();
  expect_sums<f8e4m3, f8e8m0, product_form{5, 3, 96, 32}>();
}

TEST_P(ScaledMma, OfANanScaleIsNanInItsRowAlone) {
  std::vector<host_array> of = operands<f4e2m1, f8e8m0, fine>();
  of[1].set_bits(2 * 4 + 1, 0xff);
  const host_array z = product<f4e2m1, f8e8m0, fine>(of);
  for (index_t i = 0; i < fine.m; ++i) {
    for (index_t j = 0; j < fine.n; ++j) {
      EXPECT_EQ(std::isnan(decode(dtype::f32, z.bits(i * fine.n + j))), i == 2) << i << ", " << j;
    }
  }
}

// 8 by 64 by 8 of tensors whose K may end before.
template <bool PadsFactors, bool PadsScales>
constexpr auto ragged = kernel<"ragged">([](Block b, Out<f32, 8, 8> z, In<f8e4m3, dyn, dyn> x,
                                            In<f8e8m0, dyn, dyn> x_scales) {
  auto left = [&] {
    if constexpr (PadsFactors) return x.load(tile<8, 64>, 0, 0, pad(0));
    if constexpr (!PadsFactors) return x.load(tile<8, 64>, 0, 0);
  }();
  auto of_left = [&] {
    if constexpr (PadsScales) return x_scales.load(tile<8, 2>, 0, 0, pad(1));
    if constexpr (!PadsScales) return x_scales.load(tile<8, 2>, 0, 0);
  }();
  z.store(mma_scaled(left, of_left, transpose(left), transpose(of_left), b.zeros<f32>(tile<8, 8>)));
});
constexpr Dim BK{"BK"};
constexpr auto of_dims =
    kernel<"of_dims">([](Block b, Out<f32, 8, 8> z, In<f8e4m3, dyn, dyn> x, In<f8e8m0, dyn, dyn> x_scales) {
      auto left = x.load(tile<8, BK>, 0, 0, pad(0));
      auto of_left = x_scales.load(tile<8, BK / 16>, 0, 0, pad(1));
      z.store(mma_scaled(left, of_left, transpose(left), transpose(of_left), b.zeros<f32>(tile<8, 8>)));
    });

class RaggedScaledMma : public BackEndTest {
 protected:
  // The first element of a product of ones by themselves, scaled by 2 on both sides.
  float product(const ast::module_view& module, index_t depth, index_t blocks,
                const std::vector<compiler::named_extent>& dims = {}) {
    const host_array z(dtype::f32, {8, 8});
    const host_array x(dtype::f8e4m3, {8, depth}, std::vector<int>(static_cast<std::size_t>(8 * depth), 1));
    const host_array scales(dtype::f8e8m0, {8, blocks}, std::vector<int>(static_cast<std::size_t>(8 * blocks), 2));
    std::vector<compiler::argument> arguments = {z.argument(), x.argument(), scales.argument()};
    arguments[0].piece = {8, 8};
    run_module(module, GetParam(), arguments, dims);
    return static_cast<float>(decode(dtype::f32, z.bits(0)));
  }
  std::string refusal(const ast::module_view& module, index_t depth, index_t blocks,
                      const std::vector<compiler::named_extent>& dims = {}) {
    try {
      product(module, depth, blocks, dims);
    } catch (const error& refused) {
      return refused.what();
    }
    return "accepted";
  }
};

TEST_P(RaggedScaledMma, CountsLanesPastATensorOnlyWhereTheirLoadNamesAPad) {
  EXPECT_EQ(product(ragged<true, true>.module(), 64, 2), 256);
  EXPECT_EQ(product(ragged<true, true>.module(), 40, 1), 32 * 4 + 8);
  EXPECT_NE(refusal(ragged<false, true>.module(), 40, 1).find("mma over a K that may reach past"), std::string::npos);
  EXPECT_NE(refusal(ragged<true, false>.module(), 40, 1).find("mma_scaled over a K that may reach past"),
            std::string::npos);
}

TEST_P(RaggedScaledMma, ComparesBlocksOfDimsWhenTheyAreBound) {
  EXPECT_NE(refusal(of_dims.module(), 64, 4, {{"BK", 64}}).find("blocks of another depth"), std::string::npos);
}

TILEWRIGHT_ON_EVERY_BACK_END(ScaledMma);
TILEWRIGHT_ON_EVERY_BACK_END(RaggedScaledMma);

}  // namespace
}  // namespace tilewright::test
