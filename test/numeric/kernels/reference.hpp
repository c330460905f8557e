// SPDX-License-Identifier: Apache-2.0
// f64 references of the kernels, with the bound that each result must keep: computed from the inputs as they were
// rounded, the sums of magnitudes beside the sums. docs/reference/kernels.md lists the bounds.
#pragma once

#include <algorithm>

#include "numeric/kernels/numeric_check.hpp"

namespace tilewright::test {

inline constexpr double f32_epsilon = 0x1p-23;

// Rounding of the result to T, on top of what its f32 value lost.
template <class T>
double store_rounding(double value) {
  if constexpr (std::is_same_v<T, f32>) return least_positive<T>();
  return 0.5 * epsilon<T>() * std::abs(value) + least_positive<T>();
}

// c = 1: |error| <= K eps(f32) sum |a||b| + rounding of the result. `w(n, k)` is the second operand, transposed.
template <class Z, class X, class Weight>
expectation product_reference(const matrix<X>& x, index_t columns, const Weight& w) {
  expectation expected;
  for (index_t i = 0; i < x.rows; ++i) {
    for (index_t n = 0; n < columns; ++n) {
      double sum = 0.0;
      double magnitude = 0.0;
      for (index_t k = 0; k < x.columns; ++k) {
        const double term = to_f64(x.at(i, k)) * w(n, k);
        sum += term;
        magnitude += std::abs(term);
      }
      const double accumulation = std::is_integral_v<Z> ? 0.0 : static_cast<double>(x.columns) * f32_epsilon;
      expected.add(sum, accumulation * magnitude + store_rounding<Z>(sum));
    }
  }
  return expected;
}

// |error| <= eps (columns + 8 + spread of the row) reference: exp moves by eps |x - max|, the sum by eps columns.
template <class T>
expectation softmax_reference(const matrix<T>& x) {
  expectation expected;
  for (index_t i = 0; i < x.rows; ++i) {
    double greatest = -infinity;
    double least = infinity;
    for (index_t j = 0; j < x.columns; ++j) {
      const double value = to_f64(x.at(i, j));
      greatest = std::isnan(value) || std::isnan(greatest) ? not_a_number : std::max(greatest, value);
      if (std::isfinite(value)) least = std::min(least, value);
    }
    double sum = 0.0;
    for (index_t j = 0; j < x.columns; ++j) sum += std::exp(to_f64(x.at(i, j)) - greatest);
    for (index_t j = 0; j < x.columns; ++j) {
      const double value = greatest == -infinity ? 0.0 : std::exp(to_f64(x.at(i, j)) - greatest) / sum;
      const double lost = f32_epsilon * (static_cast<double>(x.columns) + 8.0 + (greatest - least)) * value;
      expected.add(value, (std::isfinite(lost) ? lost : 0.0) + store_rounding<T>(value) + 0x1p-126);
    }
  }
  return expected;
}

// |error| <= eps (columns + 8) |reference|
template <class T>
expectation rms_norm_reference(const matrix<T>& x, const std::vector<T>& weight, double offset) {
  expectation expected;
  for (index_t i = 0; i < x.rows; ++i) {
    double squares = 0.0;
    for (index_t j = 0; j < x.columns; ++j) squares += to_f64(x.at(i, j)) * to_f64(x.at(i, j));
    const double scale = 1.0 / std::sqrt(squares / static_cast<double>(x.columns) + offset);
    for (index_t j = 0; j < x.columns; ++j) {
      const double value = to_f64(x.at(i, j)) * scale * to_f64(weight[static_cast<std::size_t>(j)]);
      expected.add(value,
                   f32_epsilon * (static_cast<double>(x.columns) + 8.0) * std::abs(value) + store_rounding<T>(value));
    }
  }
  return expected;
}

// |error| <= eps (columns + 8) (|w| scale (|x| + mean |x|) + |reference|)
template <class T>
expectation layer_norm_reference(const matrix<T>& x, const std::vector<T>& weight, const std::vector<T>& bias,
                                 double offset) {
  expectation expected;
  const auto count = static_cast<double>(x.columns);
  for (index_t i = 0; i < x.rows; ++i) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (index_t j = 0; j < x.columns; ++j) {
      sum += to_f64(x.at(i, j));
      magnitude += std::abs(to_f64(x.at(i, j)));
    }
    const double mean = sum / count;
    double squares = 0.0;
    for (index_t j = 0; j < x.columns; ++j) squares += std::pow(to_f64(x.at(i, j)) - mean, 2);
    const double scale = 1.0 / std::sqrt(squares / count + offset);
    for (index_t j = 0; j < x.columns; ++j) {
      const double w = to_f64(weight[static_cast<std::size_t>(j)]);
      const double difference = to_f64(x.at(i, j)) - mean;
      const double value = difference * scale * w + to_f64(bias[static_cast<std::size_t>(j)]);
      const double reach = std::abs(w) * scale * (std::abs(to_f64(x.at(i, j))) + magnitude / count) + std::abs(value);
      expected.add(value, f32_epsilon * (count + 8.0) * reach + store_rounding<T>(value));
    }
  }
  return expected;
}

struct attention_shape {
  index_t heads = 1;
  index_t key_heads = 1;
  index_t head_size = 1;
  index_t first = 0;  // first visible key
  double scale = 1.0;
};

struct attention_expectation {
  expectation values;
  expectation log_sums;
};

// One query of one head over its visible keys; see attention_reference.
template <class T>
void add_attention_row(attention_expectation& expected, const matrix<T>& q, const matrix<T>& k, const matrix<T>& v,
                       const attention_shape& shape, index_t query, index_t head) {
  const index_t size = shape.head_size;
  const index_t key_head = head / (shape.heads / shape.key_heads);
  std::vector<double> scores;
  double lost = 0.0;  // most that a score may be off
  for (index_t key = shape.first; key <= query + k.rows - q.rows; ++key) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (index_t d = 0; d < size; ++d) {
      const double term = to_f64(q.at(query, head * size + d)) * to_f64(k.at(key, key_head * size + d));
      sum += term;
      magnitude += std::abs(term);
    }
    scores.push_back(sum * shape.scale);
    lost = std::max(lost, static_cast<double>(size + 2) * f32_epsilon * magnitude * std::abs(shape.scale));
  }
  const double greatest = scores.empty() ? -infinity : *std::max_element(scores.begin(), scores.end());
  const double spread = scores.empty() ? 0.0 : greatest - *std::min_element(scores.begin(), scores.end());
  double total = 0.0;
  for (const double score : scores) total += std::exp(score - greatest);
  const double relative = 2.0 * lost + f32_epsilon * (static_cast<double>(scores.size()) + 8.0 + spread) +
                          (std::is_same_v<T, f32> ? 0.0 : epsilon<T>());
  for (index_t d = 0; d < size; ++d) {
    double sum = 0.0;
    double magnitude = 0.0;
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const double value = to_f64(v.at(shape.first + static_cast<index_t>(i), key_head * size + d));
      sum += std::exp(scores[i] - greatest) / total * value;
      magnitude += std::exp(scores[i] - greatest) / total * std::abs(value);
    }
    expected.values.add(sum, relative * magnitude + store_rounding<T>(sum));
  }
  const double log_sum = scores.empty() ? -infinity : greatest + std::log(total);
  expected.log_sums.add(log_sum, scores.empty() ? 0.0 : relative + 4.0 * f32_epsilon * std::abs(log_sum));
}

// |error| <= (2 error of a score + eps (keys + 8 + spread of the scores)) sum weight |v| + rounding of the result, the
// error of a score being eps (D + 2) |scale| sum |q||k|; narrow types round each weight once more.
template <class T>
attention_expectation attention_reference(const matrix<T>& q, const matrix<T>& k, const matrix<T>& v,
                                          const attention_shape& shape) {
  attention_expectation expected;
  for (index_t query = 0; query < q.rows; ++query) {
    for (index_t head = 0; head < shape.heads; ++head) add_attention_row(expected, q, k, v, shape, query, head);
  }
  return expected;
}

// Lowest index among equals, the first NaN before all.
template <class T>
std::vector<i64> argmax_reference(const matrix<T>& x) {
  std::vector<i64> expected;
  for (index_t i = 0; i < x.rows; ++i) {
    index_t best = 0;
    for (index_t j = 1; j < x.columns && !std::isnan(to_f64(x.at(i, best))); ++j) {
      if (std::isnan(to_f64(x.at(i, j))) || to_f64(x.at(i, j)) > to_f64(x.at(i, best))) best = j;
    }
    expected.push_back(best);
  }
  return expected;
}

}  // namespace tilewright::test
