// SPDX-License-Identifier: Apache-2.0
#include "ports/attention_forms.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

// Scores of one query, the most that one may be off, and what else takes weight: e^sink.
struct scored_keys {
  std::vector<double> scores;
  double lost = 0.0;
  double sink = -infinity;

  void add(double score, double magnitude, double terms) {
    scores.push_back(score);
    lost = std::max(lost, (terms + 2) * f32_epsilon * magnitude);
  }
};

// As kernels::attention: |error| <= (2 error of a score + eps (keys + 8 + spread of the scores)) sum weight |value|.
template <class Value>
void add_weighted(expectation& expected, const scored_keys& keys, index_t size, const Value& value) {
  double greatest = keys.sink, least = std::isfinite(keys.sink) ? keys.sink : infinity, total = 0.0;
  for (const double score : keys.scores) {
    greatest = std::max(greatest, score);
    least = std::min(least, score);
  }
  for (const double score : keys.scores) total += std::exp(score - greatest);
  total += std::exp(keys.sink - greatest);
  const double relative =
      2.0 * keys.lost + f32_epsilon * (static_cast<double>(keys.scores.size()) + 8.0 + 2.0 * (greatest - least));
  for (index_t d = 0; d < size; ++d) {
    double sum = 0.0, magnitude = 0.0;
    for (std::size_t i = 0; i < keys.scores.size(); ++i) {
      const double weight = std::exp(keys.scores[i] - greatest) / total;
      sum += weight * value(static_cast<index_t>(i), d);
      magnitude += weight * std::abs(value(static_cast<index_t>(i), d));
    }
    expected.add(sum, relative * magnitude + store_rounding<f32>(sum));
  }
}

class AttentionForms : public KernelTest {};
TILEWRIGHT_ON_EACH_BACK_END(AttentionForms);

struct window_case {
  index_t queries, keys, heads, key_heads, size;
  i32 window;
};

TEST_P(AttentionForms, SinksTakeTheirShareOfWhatAWindowShows) {
  for (const window_case& c : {window_case{1, 1, 1, 1, 4, 1},
                               {9, 9, 2, 1, 8, 3},
                               {5, 40, 4, 2, 4, 17},
                               {33, 50, 1, 1, 8, 1000},
                               {6, 4, 1, 1, 4, 2}}) {
    SCOPED_TRACE(testing::Message() << c.queries << " queries, " << c.keys << " keys, window " << c.window);
    constexpr double scale = 0.75;
    const auto q = random_matrix<f32>(c.queries, c.heads * c.size);
    const auto k = random_matrix<f32>(c.keys, c.key_heads * c.size, 7);
    const auto v = random_matrix<f32>(c.keys, c.key_heads * c.size, 9);
    const auto sinks = random_matrix<f32>(1, c.heads, 11);
    const auto kernel = ports::attention_with_sinks<f32>.with(
        dim<kernels::HEADS>(static_cast<int>(c.heads / c.key_heads)), kernels::BN = 8);
    const auto z = output(kernel(poisoned<f32>({c.queries, c.heads * c.size}).partition({8, c.size}), upload(q),
                                 upload(k), upload(v), upload(sinks.values), static_cast<f32>(scale), c.window));
    expectation expected;
    for (index_t query = 0; query < c.queries; ++query) {
      for (index_t head = 0; head < c.heads; ++head) {
        const index_t key_head = head / (c.heads / c.key_heads), last = query + c.keys - c.queries;
        const index_t first = std::max<index_t>(last - c.window + 1, 0);
        scored_keys seen;
        seen.sink = to_f64(sinks.at(0, head));
        for (index_t key = first; key <= last; ++key) {
          double sum = 0.0, magnitude = 0.0;
          for (index_t d = 0; d < c.size; ++d) {
            const double term = to_f64(q.at(query, head * c.size + d)) * to_f64(k.at(key, key_head * c.size + d));
            sum += term * scale;
            magnitude += std::abs(term) * scale;
          }
          seen.add(sum, magnitude, static_cast<double>(c.size));
        }
        add_weighted(expected, seen, c.size,
                     [&](index_t i, index_t d) { return to_f64(v.at(first + i, key_head * c.size + d)); });
      }
    }
    expect_within(z, expected);
  }
}

TEST_P(AttentionForms, RefuseAWindowOfNoKey) {
  const auto q = upload(random_matrix<f32>(2, 4));
  const auto kernel = ports::attention_with_sinks<f32>.with(kernels::HEADS = 1, kernels::BN = 8);
  EXPECT_THROW(
      (void)output(kernel(poisoned<f32>({2, 4}).partition({2, 4}), q, q, q, upload(std::vector<f32>(1)), 1.0f, 0)),
      usage_error);
}

TEST_P(AttentionForms, LatentKeysAreValuesTooAndHaveTheirPlacesApart) {
  constexpr index_t size = 16, rotary = 4;
  constexpr double scale = 0.5;
  for (const auto& [heads, keys] : {std::pair<index_t, index_t>{1, 1}, {3, 8}, {12, 29}, {2, 0}}) {
    const auto q = random_matrix<f32>(heads, size), q_rotary = random_matrix<f32>(heads, rotary, 5);
    const auto latent = random_matrix<f32>(keys, size, 7), places = random_matrix<f32>(keys, rotary, 9);
    const auto z = output(ports::latent_decode<f32>.with(kernels::BN = 8)(
        poisoned<f32>({heads, size}).partition({8, size}), upload(q), upload(q_rotary), upload(latent), upload(places),
        static_cast<f32>(scale)));
    expectation expected;
    for (index_t head = 0; head < heads; ++head) {
      scored_keys seen;
      for (index_t key = 0; key < keys; ++key) {
        double sum = 0.0, magnitude = 0.0;
        const auto add = [&](double term) {
          sum += term * scale;
          magnitude += std::abs(term) * scale;
        };
        for (index_t d = 0; d < size; ++d) add(to_f64(q.at(head, d)) * to_f64(latent.at(key, d)));
        for (index_t d = 0; d < rotary; ++d) add(to_f64(q_rotary.at(head, d)) * to_f64(places.at(key, d)));
        seen.add(sum, magnitude, size + rotary);
      }
      if (keys == 0) {
        for (index_t d = 0; d < size; ++d) expected.add(0.0, 0.0);
      } else {
        add_weighted(expected, seen, size, [&](index_t i, index_t d) { return to_f64(latent.at(i, d)); });
      }
    }
    expect_within(z, expected);
  }
}

// |error| <= eps (times (1 + 2 |rate|) + 2 D + 16) sum decay |q| |k| |v|: a decay is a product of powers of e, each
// wrong by its exponent.
TEST_P(AttentionForms, RetentionFadesWithTime) {
  constexpr index_t heads = 2, size = 8;
  const std::vector<f32> rates = {-0.25f, 0.0f};
  for (const index_t times : {1, 8, 21}) {
    const auto q = random_matrix<f32>(times, heads * size), k = random_matrix<f32>(times, heads * size, 7);
    const auto v = random_matrix<f32>(times, heads * size, 9);
    const auto z = output(
        ports::retention<f32>.with(kernels::BM = 8)(poisoned<f32>({times, heads * size}).partition({whole_axis, size}),
                                                    upload(q), upload(k), upload(v), upload(rates)));
    expectation expected;
    for (index_t t = 0; t < times; ++t) {
      for (index_t column = 0; column < heads * size; ++column) {
        const index_t head = column / size;
        const double rate = to_f64(rates[static_cast<std::size_t>(head)]);
        double sum = 0.0, reach = 0.0;
        for (index_t s = 0; s <= t; ++s) {
          const double faded = std::exp(rate * static_cast<double>(t - s)) * to_f64(v.at(s, column));
          for (index_t d = 0; d < size; ++d) {
            const double term = to_f64(q.at(t, head * size + d)) * to_f64(k.at(s, head * size + d)) * faded;
            sum += term;
            reach += std::abs(term);
          }
        }
        const double roundings = static_cast<double>(times) * (1 - 2 * rate) + 2 * size + 16;
        expected.add(sum, f32_epsilon * roundings * reach);
      }
    }
    expect_within(z, expected);
  }
}

}  // namespace
}  // namespace tilewright::test
