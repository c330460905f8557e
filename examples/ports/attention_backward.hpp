// SPDX-License-Identifier: Apache-2.0
// Gradients of attention with grouped heads, from the log-sum-exp that attention_lse saves (T. Dao, 2023:
// FlashAttention-2): first delta, then dq by blocks of queries, dk and dv by blocks of keys. q, z, dz and dq are
// [queries, heads * D], k, v, dk and dv [keys, key heads * D], HEADS query heads sharing a key head; lse and delta are
// [queries, heads] f32. Causal as in attention: query r of Q sees the keys up to r + keys - Q.
// Peers: Triton's tutorial 06, TileLang's example_mha_bwd; cuTile Rust has none.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// delta = sum of z dz over each head, in pieces [BM, 1]
template <class T>
inline constexpr auto attention_delta = kernel<"attention_delta">([](Block b, Out<f32, BM, 1> delta, In<T, dyn, dyn> z,
                                                                     In<T, dyn, dyn> dz) {
  require_same_shape(z, dz);
  require_equal(delta.extent(0), z.extent(0));
  require_equal(delta.extent(1) * b.size(tile<D>), z.extent(1));
  auto result = cast<f32>(z.load(tile<BM, D>, b.pid(0), b.pid(1), pad(0)));
  delta.store(reduce_sum<1>(result * cast<f32>(dz.load(tile<BM, D>, b.pid(0), b.pid(1), pad(0)))));
});

// A tile of BM queries of one head: what both gradients need of it. Queries past the end weigh nothing.
template <class Rows, class Column>
struct query_rows {
  Rows query, gradient;
  Column log_sum, delta;
};
template <class Rows, class Column>
query_rows(Rows, Rows, Column, Column) -> query_rows<Rows, Column>;

// The weights of BN keys for BM queries and the gradient of their scores, (BM, BN); `first` is the key that the first
// query sees last, less the first key.
template <class Weights>
struct score_gradient {
  Weights weight, score;
};
template <class Weights>
score_gradient(Weights, Weights) -> score_gradient<Weights>;

template <class Rows, class Keys>
constexpr auto gradient_of_scores(Block b, const Rows& rows, const Keys& key, const Keys& value,
                                  const Scalar<f32>& scale, const Index& first) {
  auto score = mma(rows.query, transpose(key), b.zeros<f32>(tile<BM, BN>));
  auto ahead = b.iota<index_element>(tile<1, BN>) - b.iota<index_element>(tile<BM, 1>);
  auto weight = select(ahead <= first, exp(score * scale - rows.log_sum), 0.0f);
  auto of_weight = mma(rows.gradient, transpose(value), b.zeros<f32>(tile<BM, BN>));
  auto of_score = weight * (of_weight - rows.delta) * scale;
  return score_gradient{weight, of_score};
}

template <class T>
constexpr auto load_queries(const In<T, dyn, dyn>& q, const In<T, dyn, dyn>& dz, const In<f32, dyn, dyn>& lse,
                            const In<f32, dyn, dyn>& delta, const Index& tile_row, const Index& head) {
  auto query = q.load(tile<BM, D>, tile_row, head, pad(0));
  auto gradient = dz.load(tile<BM, D>, tile_row, head, pad(0));
  auto log_sum = lse.load(tile<BM, 1>, tile_row, head, pad(inf));
  auto sum = delta.load(tile<BM, 1>, tile_row, head, pad(0));
  return query_rows{query, gradient, log_sum, sum};
}

// In pieces [BM, D].
template <class T>
inline constexpr auto attention_dq =
    kernel<"attention_dq">([](Block b, Out<T, BM, D> dq, In<T, dyn, dyn> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v,
                              In<T, dyn, dyn> dz, In<f32, dyn, dyn> lse, In<f32, dyn, dyn> delta, Scalar<f32> scale) {
      require_same_shape(dq, q);
      require_same_shape(dz, q);
      require_same_shape(k, v);
      require_same_shape(lse, delta);
      require_equal(k.extent(1) * b.size(tile<HEADS>), q.extent(1));
      require_equal(lse.extent(0), q.extent(0));
      require_equal(lse.extent(1) * b.size(tile<D>), q.extent(1));
      auto kt = k.partition(tile<BN, D>);
      auto vt = v.partition(tile<BN, D>);
      auto rows = load_queries<T>(q, dz, lse, delta, b.pid(0), b.pid(1));
      auto key_head = b.pid(1) / b.size(tile<HEADS>);
      auto last = k.extent(0) - q.extent(0) + b.pid(0) * b.size(tile<BM>);  // key that the first query sees last
      auto end = (last + b.size(tile<BM>) + (b.size(tile<BN>) - 1)) / b.size(tile<BN>);
      auto sum = b.zeros<f32>(tile<BM, D>);
      for (auto j : range(min(end, kt.tiles(0)))) {
        auto key = kt.load(j, key_head, pad(0));
        auto made = gradient_of_scores(b, rows, key, vt.load(j, key_head, pad(0)), scale, last - j * b.size(tile<BN>));
        sum = mma(cast<T>(made.score), key, sum);
      }
      dq.store(cast<T>(sum));
    }).defaults(BN = 64);

// Both in pieces [BN, D].
template <class T>
inline constexpr auto attention_dk_dv =
    kernel<"attention_dk_dv">([](Block b, Out<T, BN, D> dk, Out<T, BN, D> dv, In<T, dyn, dyn> q, In<T, dyn, dyn> k,
                                 In<T, dyn, dyn> v, In<T, dyn, dyn> dz, In<f32, dyn, dyn> lse, In<f32, dyn, dyn> delta,
                                 Scalar<f32> scale) {
      require_same_shape(dk, k);
      require_same_shape(dv, k);
      require_same_shape(dz, q);
      require_same_shape(k, v);
      require_same_shape(lse, delta);
      require_equal(k.extent(1) * b.size(tile<HEADS>), q.extent(1));
      require_equal(lse.extent(0), q.extent(0));
      require_equal(lse.extent(1) * b.size(tile<D>), q.extent(1));
      auto key = k.load(tile<BN, D>, b.pid(0), b.pid(1), pad(0));
      auto value = v.load(tile<BN, D>, b.pid(0), b.pid(1), pad(0));
      auto shift = k.extent(0) - q.extent(0) - b.pid(0) * b.size(tile<BN>);
      auto from = max(-shift, 0) / b.size(tile<BM>);  // the queries before see none of these keys
      auto of_key = b.zeros<f32>(tile<BN, D>);
      auto of_value = b.zeros<f32>(tile<BN, D>);
      for (auto g : range(b.size(tile<HEADS>))) {
        auto head = b.pid(1) * b.size(tile<HEADS>) + g;
        for (auto i : range(from, q.partition(tile<BM, D>).tiles(0))) {
          auto rows = load_queries<T>(q, dz, lse, delta, i, head);
          auto made = gradient_of_scores(b, rows, key, value, scale, shift + i * b.size(tile<BM>));
          of_value = mma(transpose(cast<T>(made.weight)), rows.gradient, of_value);
          of_key = mma(transpose(cast<T>(made.score)), rows.query, of_key);
        }
      }
      dk.store(cast<T>(of_key));
      dv.store(cast<T>(of_value));
    }).defaults(BM = 64);

}  // namespace tilewright::ports
