// SPDX-License-Identifier: Apache-2.0
// Attention in other forms, around the library's walk over the keys: with a window and sinks (gpt-oss), over latent
// keys (DeepSeek-AI, 2024: multi-head latent attention), and without softmax, in chunks (Y. Sun et al., 2023: Retentive
// network). Peers: TileLang's attention_sink, deepseek_mla and linear_attention; TileGym's attention sink.
#pragma once

#include "tilewright/kernels/attention.hpp"
#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// As kernels::attention, but a query sees only the last `window` keys, its own among them, and each head has a sink: a
// score that takes its share of the weight and has no value. sinks [heads], finite; z in pieces [BM, D].
template <class T>
inline constexpr auto attention_with_sinks =
    kernel<"attention_with_sinks">([](Block b, Out<T, BM, D> z, In<T, dyn, dyn> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v,
                                      In<f32, dyn> sinks, Scalar<f32> scale, Scalar<i32> window) {
      require_same_shape(z, q);
      require_equal(sinks.extent(0) * b.size(tile<D>), q.extent(1));
      requires_(window > 0);
      auto diagonal = k.extent(0) - q.extent(0) + b.pid(0) * b.size(tile<BM>);  // last key that row 0 sees
      auto ahead = b.iota<i32>(tile<1, BN>) - b.iota<i32>(tile<BM, 1>);
      const auto mask = [&](const auto& score, const Index& start) {
        auto distance = ahead - cast<i32>(diagonal - start);
        return select((distance <= 0) & (distance > -window), score, -inf);
      };
      auto first = max(diagonal - to_index(window) + 1, 0);  // that row 0 sees
      auto steps = causal_steps<T>(b, k, diagonal, first);
      auto none = min(steps.whole, 0);  // of the steps is sure to be seen whole
      auto leading = max(min(first / b.size(tile<BN>), steps.steps), 0);
      auto state = attend_queries<T>(b, q, k, v, scale * log2_of_e, key_steps{none, leading, steps.steps}, mask);

      auto sink = reshape(sinks.load(tile<1>, b.pid(1)), tile<1, 1>) * log2_of_e;
      auto greatest = max(state.greatest, sink);
      auto kept = exp2(state.greatest - greatest);
      z.store(cast<T>(state.values * kept / (state.sum * kept + exp2(sink - greatest))));
    }).defaults(BN = 64);

inline constexpr Dim ROTARY{"ROTARY"};  // columns of a key that hold its position

// One token's heads over keys that all share: the latent ones [keys, D] are the values too, and have a part [keys,
// ROTARY] of their own for the position. q [heads, D] and q_rotary [heads, ROTARY]; z [heads, D] in pieces [BM, D].
template <class T>
inline constexpr auto latent_decode = kernel<"latent_decode">([](Block b, Out<T, BM, D> z, In<T, dyn, D> q,
                                                                 In<T, dyn, ROTARY> q_rotary, In<T, dyn, D> latent,
                                                                 In<T, dyn, ROTARY> rotary, Scalar<f32> scale) {
  require_same_shape(z, q);
  require_equal(q_rotary.extent(0), q.extent(0));
  require_equal(rotary.extent(0), latent.extent(0));
  auto keys = latent.partition(tile<BN, D>);
  auto key_places = rotary.partition(tile<BN, ROTARY>);
  auto query = q.load(tile<BM, D>, b.pid(0), 0, pad(0));
  auto query_place = q_rotary.load(tile<BM, ROTARY>, b.pid(0), 0, pad(0));
  auto column = b.iota<index_element>(tile<1, BN>);

  auto values = b.zeros<f32>(tile<BM, D>);
  auto sum = b.zeros<f32>(tile<BM, 1>);
  auto greatest = b.full<f32>(tile<BM, 1>, lowest_score);
  for (auto j : range(keys.tiles(0))) {
    auto key = keys.load(j, 0, pad(0));
    auto of_places = mma(query_place, transpose(key_places.load(j, 0, pad(0))), b.zeros<f32>(tile<BM, BN>));
    auto score = mma(query, transpose(key), of_places) * (scale * log2_of_e);
    score = select(column + j * b.size(tile<BN>) < latent.extent(0), score, -inf);
    auto next = max(greatest, reduce_max<1>(score));
    auto weight = exp2(score - next);
    auto kept = exp2(greatest - next);
    sum = sum * kept + reduce_sum<1>(weight);
    values = mma(cast<T>(weight), key, values * kept);
    greatest = next;
  }
  z.store(cast<T>(attention_result(attention_state{values, sum, greatest})));
});

// Retention: z[t] = sum over s <= t of decay^(t - s) (q[t] . k[s]) v[s], the decay of a head being e^rate, a rate of 0
// giving plain linear attention. q, k, v and z are [times, heads * D], rates [heads], each at most 0. A block walks
// over all times of a head, in chunks of BM: z in pieces [whole_axis, D]. What came before a chunk is a state [D, D].
template <class T>
inline constexpr auto retention = kernel<"retention">([](Block b, Out<T, dyn, D> z, In<T, dyn, dyn> q,
                                                         In<T, dyn, dyn> k, In<T, dyn, dyn> v, In<f32, dyn> rates) {
  require_same_shape(z, q);
  require_same_shape(k, q);
  require_same_shape(v, q);
  require_equal(rates.extent(0) * b.size(tile<D>), q.extent(1));
  auto to = z.partition(tile<BM, D>);
  auto rate = reshape(rates.load(tile<1>, b.pid(1)), tile<1, 1>);
  auto row = cast<f32>(b.iota<i32>(tile<BM, 1>));
  auto distance = row - transpose(row);
  auto fading = select(distance >= 0, exp(rate * max(distance, 0)), 0);
  auto length = cast<f32>(b.size(tile<BM>));
  auto state = b.zeros<f32>(tile<D, D>);
  for (auto t : range(to.tiles(0))) {
    auto query = q.load(tile<BM, D>, t, b.pid(1), pad(0));
    auto key = k.load(tile<BM, D>, t, b.pid(1), pad(0));
    auto value = v.load(tile<BM, D>, t, b.pid(1), pad(0));
    auto score = mma(query, transpose(key), b.zeros<f32>(tile<BM, BM>)) * fading;
    auto before = mma(cast<f32>(query) * exp(rate * (row + 1)), state, b.zeros<f32>(tile<BM, D>));
    to.store(t, 0, cast<T>(mma(cast<T>(score), value, before)));
    auto kept = cast<f32>(key) * exp(rate * (length - 1 - row));
    state = mma(transpose(kept), cast<f32>(value), state * exp(rate * length));
  }
});

}  // namespace tilewright::ports
