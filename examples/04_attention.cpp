// SPDX-License-Identifier: Apache-2.0
// Causal attention in one kernel: the scores of a block of queries are never stored. They are made tile by tile, and
// running maxima and sums correct what was added before.
#include "support/table_row.hpp"
#include "tilewright/lang/lang.hpp"
#include "tilewright/runtime/runtime.hpp"

using namespace tilewright;

// BM queries of a block, BN keys of a step, D the size of a head. All tensors are [tokens, heads * D].
inline constexpr Dim BM{"BM"}, BN{"BN"}, D{"D"};

// A helper is an ordinary constexpr function over tiles. It keeps the scores of keys that lie not after the query.
constexpr auto keep_past(Block b, const Tile<f32, BM, BN>& score, const Index& step) {
  auto query = b.iota<index_element>(tile<BM, 1>) + b.pid(0) * b.size(tile<BM>);
  auto key = b.iota<index_element>(tile<1, BN>) + step * b.size(tile<BN>);
  return select(key <= query, score, -inf);
}

inline constexpr auto attention = kernel<"attention">(
    [](Block b, Out<f32, BM, D> z, In<f32, dyn, dyn> q, In<f32, dyn, dyn> k, In<f32, dyn, dyn> v, Scalar<f32> scale) {
      auto kt = k.partition(tile<BN, D>);
      auto vt = v.partition(tile<BN, D>);
      auto head = b.pid(1);
      auto query = q.load(tile<BM, D>, b.pid(0), head, pad(0)) * scale;

      auto values = b.zeros<f32>(tile<BM, D>);
      auto sum = b.zeros<f32>(tile<BM, 1>);
      auto greatest = b.full<f32>(tile<BM, 1>, -inf);
      // No block looks at keys after its last query.
      auto visible = min((b.pid(0) + 1) * b.size(tile<BM>), k.extent(0));
      for (auto j : range((visible + b.size(tile<BN>) - 1) / b.size(tile<BN>))) {
        auto score = mma(query, transpose(kt.load(j, head, pad(0))), b.zeros<f32>(tile<BM, BN>));
        score = keep_past(b, score, j);
        auto next = max(greatest, reduce_max<1>(score));
        auto weight = exp(score - next);
        auto kept = exp(greatest - next);  // what the tiles before are worth under the new maximum
        sum = sum * kept + reduce_sum<1>(weight);
        values = mma(weight, vt.load(j, head, pad(0)), values * kept);
        greatest = next;
      }
      z.store(values / sum);  // key 0 is visible to every query, so no sum is 0
    });

struct heads {
  index_t tokens, count, size;
  std::size_t at(index_t token, index_t head, index_t i) const {
    return static_cast<std::size_t>((token * count + head) * size + i);
  }
};

// One query of one head against f64. The bound: errors of the scores and of the weighted sum, over what is summed.
static void compare_query(const heads& h, const std::vector<f32>* qkv, const std::vector<f32>& z, index_t token,
                          index_t head, example::WorstError& worst) {
  const auto& [q, k, v] = std::tie(qkv[0], qkv[1], qkv[2]);
  const auto size = static_cast<double>(h.size), scale = 1 / std::sqrt(size);
  std::vector<double> weights;
  double greatest = -std::numeric_limits<double>::infinity(), sum = 0, lost = 0;
  for (index_t key = 0; key <= token; ++key) {
    double score = 0, magnitude = 0;
    for (index_t i = 0; i < h.size; ++i) {
      const double term = static_cast<double>(q[h.at(token, head, i)]) * k[h.at(key, head, i)] * scale;
      score += term;
      magnitude += std::abs(term);
    }
    weights.push_back(score);
    greatest = std::max(greatest, score);
    lost = std::max(lost, (size + 4) * 0x1p-23 * magnitude);
  }
  for (double& weight : weights) sum += weight = std::exp(weight - greatest);
  for (index_t i = 0; i < h.size; ++i) {
    double reference = 0, magnitude = 0;
    for (index_t key = 0; key <= token; ++key) {
      const double term = weights[static_cast<std::size_t>(key)] / sum * v[h.at(key, head, i)];
      reference += term;
      magnitude += std::abs(term);
    }
    const double bound = (2 * lost + (static_cast<double>(token) + 16) * 0x1p-23) * magnitude;
    worst.compare(z[h.at(token, head, i)], reference, bound);
  }
}

int main() {
  const Device d = device();
  const heads h{example::sized(1024, 24), example::sized(8, 2), example::sized(64, 16)};
  const Shape shape{h.tokens, h.count * h.size};
  auto q = d.randn<f32>(shape, 1).share(), k = d.randn<f32>(shape, 2).share(), v = d.randn<f32>(shape, 3).share();
  auto z = d.empty<f32>(shape);

  const auto tuned = attention.with(BN = 64);
  const auto scale = static_cast<f32>(1 / std::sqrt(static_cast<double>(h.size)));
  const auto run = [&] { tuned(z.partition({64, h.size}), q, k, v, scale).sync(); };
  run();

  example::WorstError worst;
  const std::vector<f32> qkv[] = {q.to_host(), k.to_host(), v.to_host()};
  const auto host_z = z.to_host();
  for (index_t token = 0; token < h.tokens; token += std::max<index_t>(1, h.tokens / 24)) {
    for (index_t head = 0; head < h.count; ++head) compare_query(h, qkv, host_z, token, head, worst);
  }
  // Half of all pairs of query and key are visible; each costs a product of D and one of D.
  const double work = 2.0 * static_cast<double>(h.tokens * h.tokens * h.count * h.size);
  return example::finish("04 attention", example::shape_text({h.tokens, h.count, h.size}), example::seconds_of(run),
                         work, "GFLOP/s", worst);
}
