// SPDX-License-Identifier: Apache-2.0
// Attention with grouped heads, computed in one walk over the keys (running maximum and sum). q and z are
// [queries, heads * D], k and v [keys, key heads * D]; HEADS query heads share one key head. Causal unless the name
// says otherwise: query r of Q sees the keys first <= key <= r + keys - Q, aligned to the last key, so a step over a
// growing cache needs no other mask. A query that sees no key gives zeros and a log-sum-exp of -inf; keys past the end
// are padded and masked. The scale is above 0 (else NaN): the greatest score is taken before scaling.
#pragma once

#include "tilewright/kernels/base_two.hpp"
#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// What one block carries over the keys: weighted values, sum of weights and greatest score of each query. Scores are
// scaled to base 2, so that a weight is one multiplication, one subtraction and exp2.
template <class Values, class Rows>
struct attention_state {
  Values values;
  Rows sum;
  Rows greatest;
};
template <class Values, class Rows>
attention_state(Values, Rows, Rows) -> attention_state<Values, Rows>;

// The greatest score of no key: finite, so that taking it off a masked score of -inf gives -inf, a weight of 0, and off
// itself 0. No step then asks whether a key was seen.
inline constexpr f32 lowest_score = -0x1.fffffep127f;

// The sum is about 1 at least (the greatest score weighs 1), or 0 with all values where no key was seen. A select here
// would keep a GPU from overlapping the steps before it.
template <class State>
constexpr auto attention_result(const State& state) {
  return state.values / max(state.sum, 0x1p-100f);
}

template <class State>
constexpr auto log_sum_exp(const State& state) {
  return select(state.sum == 0.0f, -inf, state.greatest * ln_of_2 + log(state.sum));
}

// The steps of BN keys for one block of BM queries: those before `whole` are seen whole by every query, those from
// `partial` to before `steps` in part. Two loops, as a branch in one keeps a GPU from overlapping its iterations.
struct key_steps {
  Index whole, partial, steps;
};

// With a first key the steps before it are left out, and all others count as partial.
template <class T>
constexpr auto causal_steps(Block b, const In<T, dyn, dyn>& k, const Index& diagonal, const Index& first) {
  auto visible = diagonal + b.size(tile<BM>);
  auto steps = min((visible + (b.size(tile<BN>) - 1)) / b.size(tile<BN>), k.partition(tile<BN, D>).tiles(0));
  auto whole = max(min((diagonal + 1) / b.size(tile<BN>), steps), 0);
  auto leading = max(min(first / b.size(tile<BN>), steps), 0);
  return key_steps{select(first > 0, 0, whole), select(first > 0, leading, whole), steps};
}

// A block of BM queries of one head: its state after all keys. `factor` scales a score to base 2; `mask(score, start)`
// gives the scores of a partial step whose first key is `start`.
template <class T, class Factor, class Mask>
constexpr auto attend_queries(Block b, const In<T, dyn, dyn>& q, const In<T, dyn, dyn>& k, const In<T, dyn, dyn>& v,
                              const Factor& factor, const key_steps& keys, const Mask& mask) {
  require_same_shape(k, v);
  require_equal(k.extent(1) * b.size(tile<HEADS>), q.extent(1));
  auto kt = k.partition(tile<BN, D>);
  auto vt = v.partition(tile<BN, D>);
  auto query = q.load(tile<BM, D>, b.pid(0), b.pid(1), pad(0));
  auto key_head = b.pid(1) / b.size(tile<HEADS>);

  auto values = b.zeros<f32>(tile<BM, D>);
  auto sum = b.zeros<f32>(tile<BM, 1>);
  auto greatest = b.full<f32>(tile<BM, 1>, lowest_score);
  const auto step = [&](const Index& j, const auto& seen) {
    auto score = seen(mma(query, transpose(kt.load(j, key_head, pad(0))), b.zeros<f32>(tile<BM, BN>)));
    auto next = max(greatest, reduce_max<1>(score) * factor);
    auto weight = exp2(score * factor - next);
    auto kept = exp2(greatest - next);
    sum = sum * kept + reduce_sum<1>(weight);
    values = mma(cast<T>(weight), vt.load(j, key_head, pad(0)), values * kept);
    greatest = next;
  };
  for (auto j : range(keys.whole)) {
    step(j, [](const auto& score) { return score; });
  }
  for (auto j : range(keys.partial, keys.steps)) {
    step(j, [&](const auto& score) { return mask(score, j * b.size(tile<BN>)); });
  }
  return attention_state{values, sum, greatest};
}

// Row r sees the keys from `first` up to the one that it is aligned to.
template <class T>
constexpr auto attend_causally(Block b, const In<T, dyn, dyn>& q, const In<T, dyn, dyn>& k, const In<T, dyn, dyn>& v,
                               const Scalar<f32>& scale, const Scalar<i32>& first) {
  auto diagonal = k.extent(0) - q.extent(0) + b.pid(0) * b.size(tile<BM>);  // last key that the block's row 0 sees
  auto column = b.iota<i32>(tile<1, BN>);
  auto ahead = column - b.iota<i32>(tile<BM, 1>);
  const auto mask = [&](const auto& score, const Index& start) {
    auto visible = (ahead <= cast<i32>(diagonal - start)) & (column >= first - cast<i32>(start));
    return select(visible, score, -inf);
  };
  return attend_queries<T>(b, q, k, v, scale * log2_of_e, causal_steps<T>(b, k, diagonal, to_index(first)), mask);
}

// Every query sees every key. The scale is D^-1/2: a GPU overlaps the products of one step with the exponentials of
// another only where it knows the factor.
template <class T>
constexpr auto attend_fully(Block b, const In<T, dyn, dyn>& q, const In<T, dyn, dyn>& k, const In<T, dyn, dyn>& v) {
  auto column = b.iota<i32>(tile<1, BN>);
  const auto mask = [&](const auto& score, const Index& start) {
    return select(column < cast<i32>(k.extent(0) - start), score, -inf);
  };
  auto whole = k.extent(0) / b.size(tile<BN>);
  auto factor = rsqrt(cast<f32>(b.size(tile<D>))) * log2_of_e;
  return attend_queries<T>(b, q, k, v, factor, key_steps{whole, whole, k.partition(tile<BN, D>).tiles(0)}, mask);
}

// One query row against the key tiles from <= j < to, by products of rows: no matrix unit is filled by one query.
template <class T, class Row, class From, class To>
constexpr auto attend_row(Block b, const Row& query, const In<T, dyn, dyn>& k, const In<T, dyn, dyn>& v,
                          const Scalar<f32>& scale, const Scalar<i32>& first, const From& from, const To& to) {
  require_same_shape(k, v);
  auto kt = k.partition(tile<BN, D>);
  auto vt = v.partition(tile<BN, D>);
  auto key_head = b.pid(1) / b.size(tile<HEADS>);
  auto row = b.iota<i32>(tile<BN, 1>);

  auto values = b.zeros<f32>(tile<1, D>);
  auto sum = b.zeros<f32>(tile<1, 1>);
  auto greatest = b.full<f32>(tile<1, 1>, lowest_score);
  for (auto j : range(from, to)) {
    auto start = j * b.size(tile<BN>);
    auto score = reduce_sum<1>(cast<f32>(kt.load(j, key_head, pad(0))) * query) * (scale * log2_of_e);
    auto visible = (row < cast<i32>(k.extent(0) - start)) & (row >= first - cast<i32>(start));
    score = select(visible, score, -inf);
    auto next = max(greatest, reduce_max<0>(score));
    auto weight = exp2(score - next);
    auto kept = exp2(greatest - next);
    sum = sum * kept + reduce_sum<0>(weight);
    values = values * kept + reduce_sum<0>(cast<f32>(vt.load(j, key_head, pad(0))) * weight);
    greatest = next;
  }
  return attention_state{values, sum, greatest};
}

// Many queries (prefill); z in pieces [BM, D].
template <class T>
constexpr auto attention() {
  return kernel<"attention">([](Block b, Out<T, BM, D> z, In<T, dyn, dyn> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v,
                                Scalar<f32> scale, Scalar<i32> first) {
           require_same_shape(z, q);
           z.store(cast<T>(attention_result(attend_causally<T>(b, q, k, v, scale, first))));
         })
      .defaults(BN = 64);
}

// Every query sees every key; scores are scaled by D^-1/2. z, q, k and v as in attention.
template <class T>
constexpr auto attention_full() {
  return kernel<"attention_full">(
             [](Block b, Out<T, BM, D> z, In<T, dyn, dyn> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v) {
               require_same_shape(z, q);
               z.store(cast<T>(attention_result(attend_fully<T>(b, q, k, v))));
             })
      .defaults(BN = 64);
}

// As attention, and the log-sum-exp of the scaled scores, [queries, heads] in pieces [BM, 1].
template <class T>
constexpr auto attention_lse() {
  return kernel<"attention_lse">([](Block b, Out<T, BM, D> z, Out<f32, BM, 1> lse, In<T, dyn, dyn> q, In<T, dyn, dyn> k,
                                    In<T, dyn, dyn> v, Scalar<f32> scale, Scalar<i32> first) {
           require_same_shape(z, q);
           require_equal(lse.extent(0), q.extent(0));
           auto state = attend_causally<T>(b, q, k, v, scale, first);
           lse.store(log_sum_exp(state));
           z.store(cast<T>(attention_result(state)));
         })
      .defaults(BN = 64);
}

// One query, which sees every key from `first` on (decode); z [1, heads * D] in pieces [1, D].
template <class T>
constexpr auto attention_decode() {
  return kernel<"attention_decode">([](Block b, Out<T, 1, D> z, In<T, 1, dyn> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v,
                                       Scalar<f32> scale, Scalar<i32> first) {
           require_same_shape(z, q);
           require_equal(k.extent(1) * b.size(tile<HEADS>), q.extent(1));
           auto query = cast<f32>(q.load(tile<1, D>, 0, b.pid(1), pad(0)));
           auto steps = k.partition(tile<BN, D>).tiles(0);
           z.store(cast<T>(attention_result(attend_row<T>(b, query, k, v, scale, first, 0, steps))));
         })
      .defaults(BN = 64);
}

// Decode over long caches in parts of STEPS key tiles: row p of z [parts, heads * D] and of lse [parts, heads] holds
// the result over part p alone. attention_merge joins the parts.
template <class T>
constexpr auto attention_split() {
  return kernel<"attention_split">([](Block b, Out<f32, 1, D> z, Out<f32, 1, 1> lse, In<T, 1, dyn> q, In<T, dyn, dyn> k,
                                      In<T, dyn, dyn> v, Scalar<f32> scale, Scalar<i32> first) {
           require_equal(z.extent(1), q.extent(1));
           require_equal(k.extent(1) * b.size(tile<HEADS>), q.extent(1));
           auto query = cast<f32>(q.load(tile<1, D>, 0, b.pid(1), pad(0)));
           auto from = b.pid(0) * b.size(tile<STEPS>);
           auto to = min(from + b.size(tile<STEPS>), k.partition(tile<BN, D>).tiles(0));
           auto state = attend_row<T>(b, query, k, v, scale, first, from, to);
           lse.store(log_sum_exp(state));
           z.store(attention_result(state));
         })
      .defaults(BN = 64, STEPS = 16);
}

// z [1, heads * D] in pieces [1, D] from parts [parts, heads * D] and their lse [parts, heads]; PARTS >= parts. Parts
// without a visible key weigh nothing; with none at all the result is zeros.
template <class T>
constexpr auto attention_merge() {
  return kernel<"attention_merge">([](Block b, Out<T, 1, D> z, In<f32, dyn, dyn> parts, In<f32, dyn, dyn> lse) {
    require_equal(parts.extent(0), lse.extent(0));
    require_equal(parts.extent(1), z.extent(1));
    require_equal(min(parts.extent(0), b.size(tile<PARTS>)), parts.extent(0));
    auto sums = lse.load(tile<PARTS, 1>, 0, b.pid(1), pad(-inf));
    auto weight = exp(sums - max(reduce_max<0>(sums), lowest_score));
    auto total = reduce_sum<0>(weight);
    auto values = reduce_sum<0>(parts.load(tile<PARTS, D>, 0, b.pid(1), pad(0)) * weight);
    z.store(cast<T>(values / select(total == 0.0f, 1.0f, total)));
  });
}

}  // namespace tilewright::kernels
