// SPDX-License-Identifier: Apache-2.0
// Rows in order, and experts for tokens: by a sorting network on a tile that holds the whole row.
// Peers: Triton's and TileLang's topk and MoE examples; cuTile Rust has no sort.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// Each row of x [M, Columns] in order, and where its elements stood; Columns is a power of two.
template <class T, int Columns, sort_order Order = sort_order::ascending>
inline constexpr auto sort_rows = kernel<"sort_rows">([](Block b, Out<T, BM, Columns> z, Out<i32, BM, Columns> places,
                                                         In<T, dyn, Columns> x) {
  require_same_shape(z, x);
  require_same_shape(places, x);
  auto sorted = sort_with_positions<1, Order>(x.load(tile<BM, Columns>, b.pid(0), 0, pad(0)));
  z.store(sorted.values);
  places.store(sorted.positions);
});

// The Count greatest of up to Experts logits of each token, and the softmax of these alone; logits [tokens, experts],
// weights and experts [tokens, Count] in pieces [BM, Count]. Count and Experts are powers of two.
template <class T, int Experts, int Count>
inline constexpr auto choose_experts = kernel<"choose_experts">([](Block b, Out<f32, BM, Count> weights,
                                                                   Out<i32, BM, Count> experts,
                                                                   In<T, dyn, dyn> logits) {
  require_same_shape(weights, experts);
  require_equal(weights.extent(0), logits.extent(0));
  requires_((logits.extent(1) >= Count) & (logits.extent(1) <= Experts));
  auto chosen = top_k<1, Count>(cast<f32>(logits.load(tile<BM, Experts>, b.pid(0), 0, pad(-inf))));
  auto e = exp(chosen.values - reduce_max<1>(chosen.values));
  weights.store(e / reduce_sum<1>(e));
  experts.store(chosen.positions);
});

}  // namespace tilewright::ports
