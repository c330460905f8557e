// SPDX-License-Identifier: Apache-2.0
// Dropout whose mask is never stored: it depends on seed and position alone, so backward is the same kernel on the
// gradient. Peers: Triton's tutorial 04 (low-memory dropout), cuTile Rust's dropout.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// z = x / (1 - rate) with probability 1 - rate, else 0; at rates of 1 and more all is 0.
template <class T>
inline constexpr auto dropout = kernel<"dropout">([](Block b, Out<T, BN> z, In<T, dyn> x, Scalar<f32> rate,
                                                     Scalar<u64> seed) {
  require_same_shape(z, x);
  auto position = b.pid(0) * b.size(tile<BN>) + b.iota<index_element>(tile<BN>);
  auto is_kept = random_uniform(seed, position) >= rate;
  z.store(cast<T>(select(is_kept, cast<f32>(load_like(x, z)) / (1.0f - rate), 0.0f)));
});

}  // namespace tilewright::ports
