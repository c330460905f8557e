// SPDX-License-Identifier: Apache-2.0
// The functions of the op table as vector code against f64, within the table's bound on all of f32. By default a
// million numbers of every sign and exponent; TILEWRIGHT_EVERY_F32=1 tries all 2^32 (minutes for each function).
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "compiler/cpu/element_code.hpp"
#include "compiler/scalar_semantics.hpp"
#include "numeric/expect_close.hpp"
#include "numeric/special_values.hpp"
#include "support/cpu_code.hpp"
#include "support/f32_error.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using ir::module_builder;
using ir::value;

constexpr op functions[] = {op::exp, op::exp2, op::log, op::sqrt, op::rsqrt, op::tanh,  op::sin,
                            op::cos, op::log2, op::tan, op::sinh, op::cosh,  op::floor, op::ceil};
constexpr std::size_t batch = 4096;

// Buffer 1 = function of buffer 0.
cpu_code function_code(op which, dtype element, int lanes) {
  return cpu_code([&](module_builder& code) {
    const ir::type t{compiler::memory_type(element), lanes};
    const value size = code.integer(index_type, info(element).size_bytes);
    code.loop(code.first(), code.last(), lanes, [&](value i) {
      const value at = code.multiply(i, size);
      const value operand = code.load(t, code.offset(buffer(code, 0), at), 1);
      const value result = compiler::element_op(code, which, element, element, std::span(&operand, 1));
      code.store(result, code.offset(buffer(code, 1), at), 1);
    });
  });
}

double exact(op which, double x) {
  double result = 0;
  compiler::semantics::visit_op<ast::op_category::unary>(which, [&](auto chosen) {
    if constexpr (ast::info(chosen()).elements == ast::accepts::floating) {
      result = compiler::semantics::function_in_double<chosen()>(x);
    }
  });
  return result;
}

class CpuMath : public testing::TestWithParam<op> {
 protected:
  op which() const { return GetParam(); }
  double bound() const { return std::max(ast::info(which()).ulp, 0.5) + 0.001; }

  // The greatest error over the batch; a worse one than the bound fails.
  void check(const cpu_code& code, const std::vector<float>& in, double& greatest) const {
    std::vector<float> out(in.size());
    code.run({in.data(), out.data()}, 0, static_cast<std::int64_t>(in.size()));
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double error = error_of(out[i], exact(which(), static_cast<double>(in[i])));
      greatest = std::max(greatest, error);
      if (error > bound()) {
        ADD_FAILURE() << ast::info(which()).name << "(" << in[i] << ") is " << out[i] << ", " << error
                      << " units of the last place from " << exact(which(), static_cast<double>(in[i]));
        return;
      }
    }
  }
};

TEST_P(CpuMath, MeetsItsBoundOverAllOfF32) {
  const bool tries_all = std::getenv("TILEWRIGHT_EVERY_F32") != nullptr;
  const std::uint64_t step = tries_all ? 1 : 1 << 12;
  const cpu_code code = function_code(which(), dtype::f32, 16);
  std::mt19937 random(11);
  std::vector<float> in(batch);
  double greatest = 0;
  for (std::uint64_t first = 0; first < (std::uint64_t{1} << 32) && !HasFailure(); first += batch * step) {
    for (std::uint64_t i = 0; i < batch; ++i) {
      const std::uint64_t word = first + i * step + random() % step;
      in[i] = std::bit_cast<float>(static_cast<std::uint32_t>(word));
    }
    check(code, in, greatest);
  }
  RecordProperty("greatest_error_in_ulp", std::to_string(greatest));
  if (tries_all) std::printf("%s: at most %.4f ULP\n", ast::info(which()).name, greatest);
}

std::vector<float> hard_numbers() {
  std::vector<float> all;
  for (const std::uint64_t bits : special_values(dtype::f32)) {
    all.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  }
  // Near multiples of pi/2, where the reduction cancels most, and where results leave the normal numbers.
  for (int n = -300000; n < 300000; n += 37) all.push_back(static_cast<float>(n * 1.5707963267948966));
  for (int n = 0; n < 2000; ++n) all.push_back(static_cast<float>(-104.5 + n * 0.01));
  for (int n = 0; n < 2000; ++n) all.push_back(static_cast<float>(-151 + n * 0.0131));
  for (int n = 0; n < 2000; ++n) all.push_back(static_cast<float>(88 + n * 0.001));
  for (int n = 0; n < 2000; ++n) all.push_back(static_cast<float>(1 + (n - 1000) * 0x1p-23));
  while (all.size() % 48 != 0) all.push_back(0.25F);
  return all;
}

TEST_P(CpuMath, MeetsItsBoundOnHardNumbers) {
  double greatest = 0;
  check(function_code(which(), dtype::f32, 16), hard_numbers(), greatest);
}

// Whatever the width of a tile, an element has one result.
TEST_P(CpuMath, OneResultForAnyNumberOfLanes) {
  const std::vector<float> in = hard_numbers();
  std::vector<std::vector<float>> results;
  for (const int lanes : {1, 3, 16, 48}) {
    std::vector<float>& out = results.emplace_back(in.size());
    function_code(which(), dtype::f32, lanes).run({in.data(), out.data()}, 0, static_cast<std::int64_t>(in.size()));
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_TRUE(same_number(out[i], results[0][i])) << ast::info(which()).name << "(" << in[i] << ") in " << lanes
                                                      << " lanes: " << out[i] << " instead of " << results[0][i];
    }
  }
}

// Every f16 and bf16: the f32 result rounded once more.
TEST_P(CpuMath, MeetsItsBoundOnEveryNarrowFloat) {
  for (const dtype element : {dtype::f16, dtype::bf16}) {
    std::vector<std::uint16_t> in(1 << 16), out(1 << 16);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<std::uint16_t>(i);
    function_code(which(), element, 16).run({in.data(), out.data()}, 0, 1 << 16);
    const double allowed = 0.5 + std::ldexp(bound(), info(element).mantissa_bits - 24);
    for (std::size_t i = 0; i < in.size(); ++i) {
      const real reference = exact(which(), static_cast<double>(decode_float(element, in[i])));
      ASSERT_TRUE(is_close(element, out[i], reference, allowed))
          << ast::info(which()).name << " of " << decode_float(element, in[i]);
    }
  }
}

TEST_P(CpuMath, F64IsTheCLibrarys) {
  std::vector<double> in;
  for (const float number : hard_numbers()) in.push_back(static_cast<double>(number));
  for (const int lanes : {1, 3, 16}) {
    std::vector<double> out(in.size());
    function_code(which(), dtype::f64, lanes).run({in.data(), out.data()}, 0, static_cast<std::int64_t>(in.size()));
    for (std::size_t i = 0; i < in.size(); ++i) {
      const double wanted = exact(which(), in[i]);
      ASSERT_TRUE(same_number(out[i], wanted)) << ast::info(which()).name << "(" << in[i] << ")";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CpuMath, testing::ValuesIn(functions),
                         [](const auto& tested) { return std::string(ast::info(tested.param).name); });

}  // namespace
}  // namespace tilewright::test
