// SPDX-License-Identifier: Apache-2.0
// Rows stored where data says: a KV cache updated at positions that a device computed, tokens written to the rows of
// their experts. The host checks the rows once (unique_indices); rows that nothing names stay as they are.
// Peers: cuTile Rust's cache update (`_dynpos`, unsafe), TileLang's and Triton's MoE kernels.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// keys [slots, columns] and values [slots, columns] take new rows k, v [tokens, columns] at places [tokens].
template <class T, class From = f32>
inline constexpr auto update_cache = kernel<"update_cache">([](Scatter<T, BM, BN> keys, Scatter<T, BM, BN> values,
                                                               Unique<i32> places, In<From, dyn, dyn> k,
                                                               In<From, dyn, dyn> v) {
  require_equal(k.extent(0), places.extent(0));
  require_equal(v.extent(0), places.extent(0));
  keys.store(places, cast<T>(load_like(k, keys)));
  values.store(places, cast<T>(load_like(v, values)));
});

// Of [pairs] pairs of a token and one of its experts: row slots[p] of z [slots, columns] is row tokens[p] of x
// [tokens, columns]. A token outside of x is clamped to it.
template <class T>
inline constexpr auto dispatch_tokens = kernel<"dispatch_tokens">([](Block b, Scatter<T, BM, BN> z, Unique<i32> slots,
                                                                     In<i32, dyn> tokens, In<T, dyn, dyn> x) {
  require_equal(tokens.extent(0), slots.extent(0));
  auto token = to_index(reshape(tokens.load(tile<BM>, b.pid(0), pad(0)), tile<BM, 1>));
  auto row = max(min(token, x.extent(0) - 1), 0);
  z.store(slots, x.gather_rows(row, tile<BM, BN>, b.pid(1)));
});

}  // namespace tilewright::ports
