// SPDX-License-Identifier: Apache-2.0
#include "ports/quantizing.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

class Quantizing : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(Quantizing);

// |z scale - x| <= half an ULP of a number of 4 significant bits, or of the least ones: 2^-4 |x| or 2^-10 scale.
TEST_P(Quantizing, OfRowsKeepsFourBits) {
  for (const index_t columns : {1, 5, 100}) {
    auto x = random_matrix<f32>(5, columns);
    for (index_t j = 0; j < columns; ++j) x.at(2, j) = 0.0f;
    auto made = ports::quantize_rows<f32>(poisoned<f8e4m3>({5, columns}).partition({2, 128}),
                                          poisoned<f32>({5, 1}).partition({2, 1}), upload(x))
                    .sync();
    const auto z = std::get<0>(made).to_host();
    const auto scale = std::get<1>(made).to_host();
    EXPECT_EQ(scale[2], 1.0f);
    for (std::size_t i = 0; i < z.size(); ++i) {
      const double by = scale[i / static_cast<std::size_t>(columns)], value = x.values[i];
      EXPECT_NEAR(to_f64(z[i]) * by, value, 0x1.001p-4 * std::abs(value) + 0x1.001p-10 * by) << i;
    }
  }
}

// |error| <= 8 ULP: of atan2, and what rounding of the root turns the angle by.
TEST_P(Quantizing, AsinIsAnAngle) {
  std::vector<f32> x{-1.0f, 1.0f, 0.0f, -0.0f, 1.5f, static_cast<f32>(infinity), 1e-30f, 0.99999994f};
  for (const f32 value : random_matrix<f32>(1, 100).values) x.push_back(value);
  expectation expected;
  for (const f32 value : x) {
    const double exact = std::asin(to_f64(value));
    expected.add(exact, 8 * f32_epsilon * std::abs(exact));
  }
  const auto count = static_cast<index_t>(x.size());
  expect_within(output(ports::asin(poisoned<f32>({count}).partition({32}), upload(x))), expected);
}

}  // namespace
}  // namespace tilewright::test
