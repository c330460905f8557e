// SPDX-License-Identifier: Apache-2.0
#include "tilewright/kernels/attention.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/worst_error.hpp"
#include "suites/suites.hpp"

namespace tilewright::bench {
namespace {

using kernels::BN;
using kernels::HEADS;

struct heads {
  index_t tokens, query_heads, key_heads, size;
};

struct inputs {
  inputs(const Device& device, const heads& shape)
      : q(device.randn<f32>({shape.tokens, shape.query_heads * shape.size}, 1).share()),
        k(device.randn<f32>({shape.tokens, shape.key_heads * shape.size}, 2).share()),
        v(device.randn<f32>({shape.tokens, shape.key_heads * shape.size}, 3).share()),
        z(device.full({shape.tokens, shape.query_heads * shape.size}, std::numeric_limits<f32>::quiet_NaN())),
        host_q(q.to_host()),
        host_k(k.to_host()),
        host_v(v.to_host()) {}

  Shared<f32> q, k, v;
  Tensor<f32> z;
  std::vector<f32> host_q, host_k, host_v;
};

double at(const std::vector<f32>& values, index_t row, index_t width, index_t column) {
  return static_cast<double>(values[static_cast<std::size_t>(row * width + column)]);
}

// The scores of one query of head 0, and how much f32 may lose of one: eps (size + 2) sum |q||k|.
struct query_scores {
  std::vector<double> values;
  double lost = 0.0;
};
query_scores scores_of(const heads& shape, const inputs& all, index_t query) {
  const double scale = 1.0 / std::sqrt(static_cast<double>(shape.size));
  query_scores scores;
  for (index_t key = 0; key <= query; ++key) {
    double sum = 0.0, magnitude = 0.0;
    for (index_t d = 0; d < shape.size; ++d) {
      const double term = at(all.host_q, query, shape.query_heads * shape.size, d) *
                          at(all.host_k, key, shape.key_heads * shape.size, d);
      sum += term;
      magnitude += std::abs(term);
    }
    scores.values.push_back(sum * scale);
    scores.lost = std::max(scores.lost, static_cast<double>(shape.size + 2) * 0x1p-23 * magnitude * scale);
  }
  return scores;
}

// |error| <= (2 lost + eps (keys + 8 + spread of the scores)) sum weight |v|
void compare_query(const heads& shape, const inputs& all, index_t query, const std::vector<f32>& got,
                   WorstError& worst) {
  const query_scores scores = scores_of(shape, all, query);
  const auto [least, greatest] = std::minmax_element(scores.values.begin(), scores.values.end());
  const auto keys = static_cast<index_t>(scores.values.size());
  const double relative = 2.0 * scores.lost + 0x1p-23 * (static_cast<double>(keys) + 8.0 + (*greatest - *least));
  std::vector<double> weights;
  double total = 0.0;
  for (const double score : scores.values) total += weights.emplace_back(std::exp(score - *greatest));
  for (index_t d = 0; d < shape.size; ++d) {
    double sum = 0.0, magnitude = 0.0;
    for (index_t key = 0; key < keys; ++key) {
      const double term =
          weights[static_cast<std::size_t>(key)] / total * at(all.host_v, key, shape.key_heads * shape.size, d);
      sum += term;
      magnitude += std::abs(term);
    }
    worst.compare(at(got, query, shape.query_heads * shape.size, d), sum, relative * magnitude + 0x1p-149);
  }
}

accuracy compare(const heads& shape, const inputs& all) {
  const std::vector<f32> got = all.z.to_host();
  WorstError worst;
  for (const index_t query : {index_t{0}, shape.tokens / 2, shape.tokens - 1}) {
    compare_query(shape, all, query, got, worst);
  }
  return worst.result();
}

void measure_prefill(bench_context& context, const heads& shape, index_t queries_of_a_block) {
  inputs all(context.device, shape);
  const auto scale = static_cast<f32>(1.0 / std::sqrt(static_cast<double>(shape.size)));
  comparison what;
  what.name = fmt::format("attention_f32_{}", shape.tokens);
  what.shape =
      fmt::format("{} tokens, {}/{} heads of {}", shape.tokens, shape.query_heads, shape.key_heads, shape.size);
  what.dtype = "f32";
  what.unit = gigaflops;
  what.work = 2.0 * static_cast<double>(shape.tokens * shape.tokens * shape.query_heads * shape.size);  // causal half
  what.ours = timed([&] {
    kernels::attention<f32>()
        .with(dim<HEADS>(static_cast<int>(shape.query_heads / shape.key_heads)))(
            all.z.partition({queries_of_a_block, shape.size}), all.q, all.k, all.v, scale, 0)
        .sync();
  });
  what.why_no_peer = "no library here has one to call from C++";
  what.roof = context.roofs.multiply_add_limit();
  what.plan.repeats = 11;
  what.check = [&] { return compare(shape, all); };
  context.runner.measure(std::move(what));
}

}  // namespace

void run_attention_suite(bench_context& context) {
  const bool is_smoke = context.runner.is_smoke();
  measure_prefill(context, {is_smoke ? 16 : 1024, is_smoke ? 2 : 9, is_smoke ? 1 : 3, is_smoke ? 16 : 64},
                  is_smoke ? 8 : 64);
}

}  // namespace tilewright::bench
