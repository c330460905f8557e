// SPDX-License-Identifier: Apache-2.0
// pow and atan2 as vector code against f64, within the table's bound: random pairs of every sign and exponent, pairs
// whose result is a number of f32, and every pair of special values.
#include <gtest/gtest.h>

#include <random>

#include "compiler/cpu/element_code.hpp"
#include "compiler/scalar_semantics.hpp"
#include "numeric/special_values.hpp"
#include "support/cpu_code.hpp"
#include "support/f32_error.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ir::module_builder;
using ir::value;

template <class T>
struct pairs {
  std::vector<T> a, b;
  void add(T x, T y) {
    a.push_back(x);
    b.push_back(y);
  }
};

// Buffer 2 = function of buffers 0 and 1.
template <class T>
std::vector<T> computed(op which, const pairs<T>& in, int lanes) {
  const dtype element = dtype_of<T>;
  const cpu_code made([&](module_builder& code) {
    const ir::type t{compiler::memory_type(element), lanes};
    const value size = code.integer(index_type, info(element).size_bytes);
    code.loop(code.first(), code.last(), lanes, [&](value i) {
      const value at = code.multiply(i, size);
      const auto load = [&](int n) { return code.load(t, code.offset(buffer(code, n), at), 1); };
      const value operands[] = {load(0), load(1)};
      code.store(compiler::element_op(code, which, element, element, operands), code.offset(buffer(code, 2), at), 1);
    });
  });
  std::vector<T> out(in.a.size());
  made.run({in.a.data(), in.b.data(), out.data()}, 0, static_cast<std::int64_t>(in.a.size()));
  return out;
}

double exact(op which, double a, double b) { return which == op::pow ? std::pow(a, b) : std::atan2(a, b); }

class CpuPower : public testing::TestWithParam<op> {
 protected:
  op which() const { return GetParam(); }

  void check(pairs<float> in) const {
    while (in.a.size() % 48 != 0) in.add(0.25F, 3);
    double greatest = 0;
    const std::vector<float> out = computed(which(), in, 16);
    for (std::size_t i = 0; i < out.size() && !HasFailure(); ++i) {
      const double wanted = exact(which(), static_cast<double>(in.a[i]), static_cast<double>(in.b[i]));
      const double error = error_of(out[i], wanted);
      greatest = std::max(greatest, error);
      EXPECT_LE(error, ast::info(which()).ulp) << ast::info(which()).name << "(" << in.a[i] << ", " << in.b[i]
                                               << ") is " << out[i] << " instead of " << wanted;
    }
    std::printf("%s: at most %.4f ULP\n", ast::info(which()).name, greatest);
  }
};

pairs<float> special_pairs() {
  std::vector<float> values;
  for (const std::uint64_t bits : special_values(dtype::f32)) {
    values.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  pairs<float> all;
  for (const float a : values) {
    for (const float b : values) all.add(a, b);
  }
  return all;
}

TEST_P(CpuPower, MeetsItsBoundOnSpecialPairs) { check(special_pairs()); }

TEST_P(CpuPower, MeetsItsBoundOnRandomPairs) {
  std::mt19937 random(5);
  const auto any = [&] { return std::bit_cast<float>(static_cast<std::uint32_t>(random())); };
  pairs<float> in;
  for (int n = 0; n < 500'000; ++n) in.add(any(), any());
  check(std::move(in));
}

// Exponents that keep the result in f32, and sides of like length.
TEST_P(CpuPower, MeetsItsBoundWhereResultsAreOrdinary) {
  std::mt19937 random(6);
  std::uniform_real_distribution<float> exponent(-152, 130), near(-4, 4);
  pairs<float> in;
  for (int n = 0; n < 1'000'000; ++n) {
    const float base = std::bit_cast<float>(static_cast<std::uint32_t>(random() & 0x7fffffffU));
    if (!(base < HUGE_VALF)) continue;
    in.add(base, which() == op::pow ? exponent(random) / std::log2(base) : base * near(random));
    in.add(1 + near(random) * 0x1p-16F, exponent(random) * 0x1p14F);
    in.add(near(random), std::round(near(random) * 8));
  }
  check(std::move(in));
}

TEST_P(CpuPower, OneResultForAnyNumberOfLanes) {
  pairs<float> in = special_pairs();
  while (in.a.size() % 48 != 0) in.add(0.25F, 3);
  const std::vector<float> wanted = computed(which(), in, 1);
  for (const int lanes : {3, 16, 48}) {
    const std::vector<float> got = computed(which(), in, lanes);
    for (std::size_t i = 0; i < got.size(); ++i) ASSERT_TRUE(same_number(got[i], wanted[i])) << in.a[i] << in.b[i];
  }
}

TEST_P(CpuPower, F64IsTheCLibrarys) {
  pairs<double> in;
  for (const std::uint64_t a : special_values(dtype::f64)) {
    for (const std::uint64_t b : special_values(dtype::f64)) in.add(std::bit_cast<double>(a), std::bit_cast<double>(b));
  }
  while (in.a.size() % 48 != 0) in.add(0.25, 3);
  const std::vector<double> got = computed(which(), in, 16);
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_TRUE(same_number(got[i], exact(which(), in.a[i], in.b[i]))) << in.a[i] << ", " << in.b[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CpuPower, testing::Values(op::pow, op::atan2),
                         [](const auto& tested) { return std::string(ast::info(tested.param).name); });

}  // namespace
}  // namespace tilewright::test
