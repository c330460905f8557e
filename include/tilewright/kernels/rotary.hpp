// SPDX-License-Identifier: Apache-2.0
// Rotary position embedding, half-split form: in each head, element i and element i + PAIRS turn by one angle, read
// from tables (rotary_tables.hpp says why). x and z are [tokens, heads * D]; a block turns one head of one token.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/rotary_tables.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// Token t stands at position first + t, which must lie within the tables (checked at launch).
template <class T>
constexpr auto rotary() {
  return kernel<"rotary">([](Block b, Out<T, 1, D> z, In<T, dyn, dyn> x, In<f32, dyn, PAIRS> cosines,
                             In<f32, dyn, PAIRS> sines, Scalar<i32> first) {
    require_same_shape(z, x);
    auto head = x.partition(tile<1, PAIRS>);
    auto position = to_index(first) + b.pid(0);
    auto c = cosines.load(tile<1, PAIRS>, position, 0);
    auto s = sines.load(tile<1, PAIRS>, position, 0);
    auto low = cast<f32>(head.load(b.pid(0), b.pid(1) * 2));
    auto high = cast<f32>(head.load(b.pid(0), b.pid(1) * 2 + 1));
    z.store(cast<T>(cat<1>(low * c - high * s, high * c + low * s, tile<1, D>)));
  });
}

// Heads (1, H, 2, PAIRS) turned by the angles (1, 1, 1, PAIRS).
template <Dim H, class Heads, class Angles>
constexpr auto turned(const Heads& heads, const Angles& c, const Angles& s) {
  auto low = extract<0, 0, 0, 0>(heads, tile<1, H, 1, PAIRS>);
  auto high = extract<0, 0, 1, 0>(heads, tile<1, H, 1, PAIRS>);
  return cat<2>(low * c - high * s, high * c + low * s);
}

// What follows the joint product of queries, keys and values, x [tokens, (heads + 2 key heads) * D]: queries and keys
// are turned, keys and values go to their rows of a cache. Outputs are [tokens, heads * D] in pieces [1, SHARING], and
// [tokens, key heads * D] in pieces [1, D] twice; a block serves one key head and the HEADS queries that share it.
inline constexpr auto rotary_qkv =
    kernel<"rotary_qkv">([](Block b, Out<f32, 1, SHARING> q, Out<f32, 1, D> k, Out<f32, 1, D> v, In<f32, dyn, dyn> x,
                            In<f32, dyn, PAIRS> cosines, In<f32, dyn, PAIRS> sines, Scalar<i32> first) {
      require_same_shape(k, v);
      require_equal(q.extent(0), x.extent(0));
      require_equal(k.extent(0), x.extent(0));
      require_equal(k.extent(1) * b.size(tile<HEADS>), q.extent(1));
      require_equal(k.extent(1) * 2 + q.extent(1), x.extent(1));
      auto token = b.pid(0);
      auto position = to_index(first) + token;
      auto c = reshape(cosines.load(tile<1, PAIRS>, position, 0), tile<1, 1, 1, PAIRS>);
      auto s = reshape(sines.load(tile<1, PAIRS>, position, 0), tile<1, 1, 1, PAIRS>);
      auto key_head = b.grid(1) * b.size(tile<HEADS>) + b.pid(1);
      auto queries = reshape(x.load(tile<1, SHARING>, token, b.pid(1), pad(0)), tile<1, HEADS, 2, PAIRS>);
      auto key = reshape(x.load(tile<1, D>, token, key_head, pad(0)), tile<1, 1, 2, PAIRS>);
      q.store(reshape(turned<HEADS>(queries, c, s), tile<1, SHARING>));
      k.store(reshape(turned<Dim(1)>(key, c, s), tile<1, D>));
      v.store(x.load(tile<1, D>, token, key_head + b.grid(1)));
    });

}  // namespace tilewright::kernels
