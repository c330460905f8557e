// SPDX-License-Identifier: Apache-2.0
// Decode attention that reads each key once for all query heads that share it: one query token, its HEADS queries of a
// key head as the narrow right operand of mma, keys and values as the wide left one. The cache stays whole, so that
// nothing but a scalar changes from token to token: a block takes STEPS key tiles of BN, and one with no visible key
// gives zeros with a log-sum-exp of -inf. attention_merge joins the parts.
#pragma once

#include "tilewright/kernels/attention.hpp"

namespace tilewright::kernels {

// z [parts, key heads, HEADS, D] in pieces [1, 1, GROUP, D], lse [parts, key heads, HEADS, 1] in pieces
// [1, 1, GROUP, 1], q [key heads, HEADS, D], k and v [capacity, key heads * D]; GROUP >= HEADS. Keys below `count`
// are visible; there must be parts for all of them. The scale is above 0.
template <class T>
constexpr auto attention_group() {
  return kernel<"attention_group">([](Block b, Out<f32, 1, 1, GROUP, D> z, Out<f32, 1, 1, GROUP, 1> lse,
                                      In<T, dyn, dyn, D> q, In<T, dyn, dyn> k, In<T, dyn, dyn> v, Scalar<f32> scale,
                                      Scalar<i32> count) {
           require_same_shape(k, v);
           require_equal(q.extent(0), z.extent(1));
           require_equal(q.extent(1), z.extent(2));
           require_equal(lse.extent(2), z.extent(2));
           require_equal(k.extent(1), q.extent(0) * b.size(tile<D>));
           auto kt = k.partition(tile<BN, D>);
           auto vt = v.partition(tile<BN, D>);
           auto query = transpose(reshape(q.load(tile<1, GROUP, D>, b.pid(1), 0, 0, pad(0)), tile<GROUP, D>));
           auto from = b.pid(0) * b.size(tile<STEPS>);
           auto visible_tiles = (to_index(count) + (b.size(tile<BN>) - 1)) / b.size(tile<BN>);
           auto to = min(min(from + b.size(tile<STEPS>), visible_tiles), kt.tiles(0));
           auto row = b.iota<i32>(tile<BN, 1>);
           auto factor = scale * log2_of_e;

           auto values = b.zeros<f32>(tile<D, GROUP>);
           auto sum = b.zeros<f32>(tile<1, GROUP>);
           auto greatest = b.full<f32>(tile<1, GROUP>, lowest_score);
           for (auto j : range(from, to)) {
             auto score = mma(kt.load(j, b.pid(1), pad(0)), query, b.zeros<f32>(tile<BN, GROUP>));
             score = select(row < count - cast<i32>(j * b.size(tile<BN>)), score, -inf);
             auto next = max(greatest, reduce_max<0>(score) * factor);
             auto weight = exp2(score * factor - next);
             auto kept = exp2(greatest - next);
             sum = sum * kept + reduce_sum<0>(weight);
             values = mma(transpose(vt.load(j, b.pid(1), pad(0))), cast<T>(weight), values * kept);
             greatest = next;
           }
           auto state = attention_state{values, sum, greatest};
           lse.store(reshape(log_sum_exp(state), tile<1, 1, GROUP, 1>));
           z.store(reshape(transpose(attention_result(state)), tile<1, 1, GROUP, D>));
         })
      .defaults(BN = 128, STEPS = 1);
}

}  // namespace tilewright::kernels
