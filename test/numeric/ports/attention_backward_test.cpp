// SPDX-License-Identifier: Apache-2.0
#include "ports/attention_backward.hpp"

#include "numeric/kernels/kernel_test.hpp"
#include "numeric/kernels/reference.hpp"

namespace tilewright::test {
namespace {

struct backward_case {
  index_t queries, keys, key_heads;
};

class AttentionBackward : public KernelTest {
 protected:
  static constexpr index_t heads_per_key = 2, size = 16;
  static constexpr f32 scale = 0.25f;

  template <class T>
  struct inputs {
    matrix<T> q, k, v, dz;
    matrix<f32> lse{}, delta{};
    matrix<double> dq{}, dk{}, dv{};                 // exact gradients
    matrix<double> reach_q{}, reach_k{}, reach_v{};  // the sums of magnitudes beside them
  };

  template <class T>
  static inputs<T> make(const backward_case& shape) {
    const index_t heads = shape.key_heads * heads_per_key;
    inputs<T> made{
        random_matrix<T>(shape.queries, heads * size), random_matrix<T>(shape.keys, shape.key_heads * size, 3),
        random_matrix<T>(shape.keys, shape.key_heads * size, 5), random_matrix<T>(shape.queries, heads * size, 7)};
    made.lse = made.delta = matrix<f32>(shape.queries, heads);
    made.dq = made.reach_q = matrix<double>(shape.queries, heads * size);
    made.dk = made.reach_k = made.dv = made.reach_v = matrix<double>(shape.keys, shape.key_heads * size);
    for (index_t head = 0; head < heads; ++head) {
      for (index_t query = 0; query < shape.queries; ++query) add_query(made, query, head);
    }
    return made;
  }

  // What one query of one head adds to the gradients, by the definition of softmax.
  template <class T>
  static void add_query(inputs<T>& made, index_t query, index_t head) {
    const index_t key_head = head / heads_per_key, seen = std::max<index_t>(0, query + 1 + made.k.rows - made.q.rows);
    const auto at = [](const auto& x, index_t row, index_t group, index_t d) {
      return to_f64(x.at(row, group * size + d));
    };
    std::vector<double> weight, of_weight;
    double sum = 0.0, delta = 0.0;
    for (index_t key = 0; key < seen; ++key) {
      double score = 0.0, gradient = 0.0;
      for (index_t d = 0; d < size; ++d) {
        score += at(made.q, query, head, d) * at(made.k, key, key_head, d) * scale;
        gradient += at(made.dz, query, head, d) * at(made.v, key, key_head, d);
      }
      weight.push_back(std::exp(score));
      of_weight.push_back(gradient);
      sum += weight.back();
    }
    for (std::size_t n = 0; n < weight.size(); ++n) delta += (weight[n] /= sum) * of_weight[n];
    made.lse.at(query, head) = static_cast<f32>(std::log(sum));
    made.delta.at(query, head) = static_cast<f32>(delta);
    for (index_t key = 0; key < seen; ++key) {
      const auto n = static_cast<std::size_t>(key);
      const double of_score = weight[n] * (of_weight[n] - delta) * scale, reach = weight[n] * scale * 2 * size;
      for (index_t d = 0; d < size; ++d) {
        const auto add = [&](matrix<double>& to, matrix<double>& reaches, index_t row, index_t group, double factor,
                             double most, double value) {
          to.at(row, group * size + d) += factor * value;
          reaches.at(row, group * size + d) += most * std::abs(value);
        };
        add(made.dq, made.reach_q, query, head, of_score, reach, at(made.k, key, key_head, d));
        add(made.dk, made.reach_k, key, key_head, of_score, reach, at(made.q, query, head, d));
        add(made.dv, made.reach_v, key, key_head, weight[n], weight[n], at(made.dz, query, head, d));
      }
    }
  }

  // |error| <= (eps (keys + queries + 4 D + 16) + 2 eps of T) times the sum of magnitudes: scores and their gradients
  // are sums of D products below 1, weights and gradients of scores are rounded to T once.
  template <class T>
  static expectation bounded(const matrix<double>& exact, const matrix<double>& reach, index_t length) {
    expectation expected;
    const double relative =
        f32_epsilon * static_cast<double>(length + 4 * size + 16) + (std::is_same_v<T, f32> ? 0.0 : 2 * epsilon<T>());
    for (std::size_t i = 0; i < exact.values.size(); ++i) {
      expected.add(exact.values[i], relative * reach.values[i] + store_rounding<T>(exact.values[i]));
    }
    return expected;
  }

  template <class T>
  static void expect_gradients(const backward_case& shape) {
    SCOPED_TRACE(testing::Message() << shape.queries << " queries, " << shape.keys << " keys");
    const inputs<T> x = make<T>(shape);
    const auto q = upload(x.q), k = upload(x.k), v = upload(x.v), dz = upload(x.dz);
    const auto lse = upload(x.lse), delta = upload(x.delta);
    constexpr auto heads = kernels::HEADS = static_cast<int>(heads_per_key);
    const auto of_q = ports::attention_dq<T>.with(heads, kernels::BN = 8);
    const auto of_keys = ports::attention_dk_dv<T>.with(heads, kernels::BM = 8);
    const auto dq =
        output(of_q(poisoned<T>({x.q.rows, x.q.columns}).partition({8, size}), q, k, v, dz, lse, delta, scale));
    auto made = of_keys(poisoned<T>({x.k.rows, x.k.columns}).partition({8, size}),
                        poisoned<T>({x.k.rows, x.k.columns}).partition({8, size}), q, k, v, dz, lse, delta, scale)
                    .sync();
    const index_t length = x.q.rows + x.k.rows;
    expect_within(dq, bounded<T>(x.dq, x.reach_q, length));
    expect_within(std::get<0>(made).to_host(), bounded<T>(x.dk, x.reach_k, length));
    expect_within(std::get<1>(made).to_host(), bounded<T>(x.dv, x.reach_v, length));
  }
};
TILEWRIGHT_ON_EACH_BACK_END(AttentionBackward);

constexpr backward_case backward_cases[] = {{1, 1, 1}, {5, 5, 1}, {3, 20, 2}, {19, 27, 2}, {20, 9, 1}};

TEST_P(AttentionBackward, GivesTheGradientsOfEachShape) {
  for (const backward_case& shape : backward_cases) expect_gradients<f32>(shape);
}

TEST_P(AttentionBackward, InNarrowTypesKeepsItsBound) { expect_gradients<f16>({19, 27, 2}); }

// |error| <= eps D sum |z dz|
TEST_P(AttentionBackward, DeltaIsTheProductOfResultAndGradient) {
  const auto z = random_matrix<f16>(7, 3 * size), dz = random_matrix<f16>(7, 3 * size, 5);
  expectation expected;
  for (index_t row = 0; row < 7; ++row) {
    for (index_t head = 0; head < 3; ++head) {
      double sum = 0.0, magnitude = 0.0;
      for (index_t d = head * size; d < head * size + size; ++d) {
        sum += to_f64(z.at(row, d)) * to_f64(dz.at(row, d));
        magnitude += std::abs(to_f64(z.at(row, d)) * to_f64(dz.at(row, d)));
      }
      expected.add(sum, f32_epsilon * size * magnitude);
    }
  }
  const auto kernel = ports::attention_delta<f16>.with(kernels::D = static_cast<int>(size));
  expect_within(output(kernel(poisoned<f32>({7, 3}).partition({4, 1}), upload(z), upload(dz))), expected);
}

}  // namespace
}  // namespace tilewright::test
