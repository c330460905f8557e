// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding, half-split form: in each head, element i and element i + PAIRS turn by one angle, read
// from tables (rotary_tables.hpp says why). x and z are [tokens, heads * D]; a block turns one head of one token.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/rotary_tables.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// Token t stands at position first + t, which must lie within the tables (checked at launch).
template <class T>
constexpr auto rotary() {
  return kernel<"rotary">([](Block b, Out<T, 1, D> z, In<T, dyn, dyn> x, In<f32, dyn, PAIRS> cosines,
                             In<f32, dyn, PAIRS> sines, Scalar<i32> first) {
    auto head = x.partition(tile<1, PAIRS>);
    auto position = to_index(first) + b.pid(0);
    auto c = cosines.load(tile<1, PAIRS>, position, 0);
    auto s = sines.load(tile<1, PAIRS>, position, 0);
    auto low = cast<f32>(head.load(b.pid(0), b.pid(1) * 2));
    auto high = cast<f32>(head.load(b.pid(0), b.pid(1) * 2 + 1));
    z.store(cast<T>(cat<1>(low * c - high * s, high * c + low * s, tile<1, D>)));
  });
}

}  // namespace tilewright::kernels
