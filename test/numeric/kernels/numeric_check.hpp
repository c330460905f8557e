// SPDX-License-Identifier: Apache-2.0
// Host values for the numeric tests: matrices, seeded inputs, and the comparison of a result with its f64 reference
// under an absolute bound per element.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "tilewright/base/dtype.hpp"

namespace tilewright::test {

inline constexpr unsigned input_seed = 20240229;  // printed by mismatch messages through the element's place
inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
double to_f64(T value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<double>(value);
  } else {
    return static_cast<float>(value);
  }
}

template <class T>
T from_f64(double value) {
  if constexpr (std::is_arithmetic_v<T>) {
    return static_cast<T>(value);
  } else {
    return T(static_cast<float>(value));
  }
}

// Distance from 1 to the next value of T; 0 for integers, which are exact.
template <class T>
double epsilon() {
  const int bits = info(dtype_of<T>).mantissa_bits;
  return bits == 0 ? 0.0 : std::ldexp(1.0, 1 - bits);
}
// Least positive value of T: what a result below the normal range may lose.
template <class T>
double least_positive() {
  if constexpr (std::is_same_v<T, f16>) return std::ldexp(1.0, -24);
  if constexpr (std::is_same_v<T, bf16>) return std::ldexp(1.0, -133);
  if constexpr (std::is_same_v<T, f32>) return std::ldexp(1.0, -149);
  return 0.0;
}

// Row-major values with their shape.
template <class T>
struct matrix {
  index_t rows = 0;
  index_t columns = 0;
  std::vector<T> values;

  matrix() = default;
  matrix(index_t row_count, index_t column_count, T value = T{})
      : rows(row_count), columns(column_count), values(static_cast<std::size_t>(row_count * column_count), value) {}
  T& at(index_t row, index_t column) { return values[static_cast<std::size_t>(row * columns + column)]; }
  const T& at(index_t row, index_t column) const { return values[static_cast<std::size_t>(row * columns + column)]; }
};

// Uniform in [-1, 1], rounded to T; integers uniform in [-127, 127].
template <class T>
matrix<T> random_matrix(index_t rows, index_t columns, unsigned seed = input_seed) {
  std::mt19937 engine(seed);
  matrix<T> result(rows, columns);
  for (T& value : result.values) {
    const double unit = static_cast<double>(engine()) / 2147483647.5 - 1.0;
    value = from_f64<T>(std::is_integral_v<T> ? std::round(unit * 127) : unit);
  }
  return result;
}

// |result - reference| <= bound in every element, NaN and infinities in the same places.
template <class T>
void expect_within(const std::vector<T>& result, const std::vector<double>& reference,
                   const std::vector<double>& bound) {
  ASSERT_EQ(result.size(), reference.size());
  ASSERT_EQ(bound.size(), reference.size());
  int told = 0;
  for (std::size_t i = 0; i < result.size() && told < 5; ++i) {
    const double got = to_f64(result[i]);
    const bool is_right = std::isnan(reference[i])   ? std::isnan(got)
                          : std::isinf(reference[i]) ? got == reference[i]
                                                     : std::abs(got - reference[i]) <= bound[i];
    if (is_right) continue;
    ++told;
    ADD_FAILURE() << "element " << i << " of " << result.size() << ": got " << got << ", expected " << reference[i]
                  << " within " << bound[i] << ", seed " << input_seed;
  }
}

// A reference and its bound, filled element by element.
struct expectation {
  std::vector<double> reference;
  std::vector<double> bound;
  void add(double value, double allowed) {
    reference.push_back(value);
    bound.push_back(allowed);
  }
};

template <class T>
void expect_within(const std::vector<T>& result, const expectation& expected) {
  expect_within(result, expected.reference, expected.bound);
}

}  // namespace tilewright::test
