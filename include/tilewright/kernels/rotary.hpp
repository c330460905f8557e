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

// Each head (1, H, 2, PAIRS) over its root mean square, times the norm's weight [2, PAIRS].
template <class Heads>
constexpr auto normalized_heads(const Heads& heads, const In<f32, 2, PAIRS>& norm, const Scalar<f32>& epsilon) {
  auto squares = reduce_sum<2>(reduce_sum<3>(heads * heads));
  auto scale = rsqrt(squares / cast<f32>(norm.extent(1) * 2) + epsilon);
  return heads * scale * reshape(norm.load(tile<2, PAIRS>, 0, 0), tile<1, 1, 2, PAIRS>);
}

// The angles of one position as (1, 1, 1, PAIRS).
constexpr auto angles_at(const In<f32, dyn, PAIRS>& table, const Index& position) {
  return reshape(table.load(tile<1, PAIRS>, position, 0), tile<1, 1, 1, PAIRS>);
}

// One token's joint row [tokens, heads + 2 key heads, 2, PAIRS]: the queries of this block's key head, and its key.
constexpr auto queries_of(Block b, const In<f32, dyn, dyn, 2, PAIRS>& x) {
  return x.load(tile<1, HEADS, 2, PAIRS>, b.pid(0), b.pid(1), 0, 0, pad(0));
}
constexpr auto key_of(Block b, const In<f32, dyn, dyn, 2, PAIRS>& x) {
  return x.load(tile<1, 1, 2, PAIRS>, b.pid(0), b.grid(1) * b.size(tile<HEADS>) + b.pid(1), 0, 0, pad(0));
}
constexpr auto value_of(Block b, const In<f32, dyn, dyn, 2, PAIRS>& x) {
  return x.load(tile<1, 1, 2, PAIRS>, b.pid(0), b.grid(1) * (b.size(tile<HEADS>) + 1) + b.pid(1), 0, 0, pad(0));
}

template <class Q, class K, class X>
constexpr void require_joint_rows(Block b, const Q& q, const K& k, const K& v, const X& x,
                                  ast::source_place where = ast::source_place()) {
  require_same_shape(k, v, where);
  require_equal(q.extent(0, where), x.extent(0, where), where);
  require_equal(k.extent(0, where), x.extent(0, where), where);
  require_equal(k.extent(1, where) * b.size(tile<HEADS>), q.extent(1, where), where);
  require_equal(k.extent(1, where) * 2 + q.extent(1, where), x.extent(1, where), where);
}

// What follows the joint product of queries, keys and values, x [tokens, heads + 2 key heads, 2, PAIRS]: queries and
// keys are turned, keys and values go to their rows of a cache. Outputs are [tokens, heads, 2, PAIRS] in pieces
// [1, HEADS, 2, PAIRS], and [tokens, key heads, 2, PAIRS] in pieces [1, 1, 2, PAIRS] twice; a block serves one key head
// and the HEADS queries that share it.
template <class T>
constexpr auto rotary_qkv() {
  return kernel<"rotary_qkv">([](Block b, Out<T, 1, HEADS, 2, PAIRS> q, Out<T, 1, 1, 2, PAIRS> k,
                                 Out<T, 1, 1, 2, PAIRS> v, In<f32, dyn, dyn, 2, PAIRS> x, In<f32, dyn, PAIRS> cosines,
                                 In<f32, dyn, PAIRS> sines, Scalar<i32> first) {
    require_joint_rows(b, q, k, v, x);
    auto position = to_index(first) + b.pid(0);
    auto c = angles_at(cosines, position);
    auto s = angles_at(sines, position);
    q.store(cast<T>(turned<HEADS>(queries_of(b, x), c, s)));
    k.store(cast<T>(turned<Dim(1)>(key_of(b, x), c, s)));
    v.store(cast<T>(value_of(b, x)));
  });
}

// The same where each head of queries and keys is normalised first (Qwen3); norms [2, PAIRS].
template <class T>
constexpr auto norm_rotary_qkv() {
  return kernel<"norm_rotary_qkv">([](Block b, Out<T, 1, HEADS, 2, PAIRS> q, Out<T, 1, 1, 2, PAIRS> k,
                                      Out<T, 1, 1, 2, PAIRS> v, In<f32, dyn, dyn, 2, PAIRS> x,
                                      In<f32, 2, PAIRS> query_norm, In<f32, 2, PAIRS> key_norm, Scalar<f32> epsilon,
                                      In<f32, dyn, PAIRS> cosines, In<f32, dyn, PAIRS> sines, Scalar<i32> first) {
    require_joint_rows(b, q, k, v, x);
    auto position = to_index(first) + b.pid(0);
    auto c = angles_at(cosines, position);
    auto s = angles_at(sines, position);
    q.store(cast<T>(turned<HEADS>(normalized_heads(queries_of(b, x), query_norm, epsilon), c, s)));
    k.store(cast<T>(turned<Dim(1)>(normalized_heads(key_of(b, x), key_norm, epsilon), c, s)));
    v.store(cast<T>(value_of(b, x)));
  });
}

}  // namespace tilewright::kernels
