// SPDX-License-Identifier: Apache-2.0
// Products with block-quantised weights: z[m, n] = sum over k of x[m, k] * w[n, k], w in the planes of quantized.hpp,
// x and z f32, f32 accumulation. The `_row` kernels serve few rows of x (decode: weights are read once, element-wise);
// the `_tile` kernels many (prefill: a dequantised tile feeds mma).
// Dims of the row kernels: BN from z's pieces [1, BN], G from the planes, HALF = 32 G (or K = 32 G) by `.with`.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// Scales or minimums of one half, from (rows, 1, groups) to (rows, groups, 1), to spread over the 32 of each group.
template <class Plane>
constexpr auto by_group(const Plane& plane) {
  return permute<0, 2, 1>(cast<f32>(plane));
}

template <class Quants>
constexpr auto low_nibble(const Quants& quants) {
  return cast<f32>(quants & 15);
}
template <class Quants>
constexpr auto high_nibble(const Quants& quants) {
  return cast<f32>(quants >> 4);
}

// ---- Few rows of x: z in pieces [1, BN]; G from the planes; HALF = 32 G and K = 32 G by `.with` -------------------

// BN rows of 4-bit weights times one row of x (its halves as (1, G, 32)), as (1, BN).
template <class Half>
constexpr auto q4_dot(const In<u8, dyn, G, 32>& quants, const In<f16, dyn, 2, G>& scales,
                      const In<f16, dyn, 2, G>& minimums, const Index& n, const Half& first, const Half& second) {
  auto q = quants.load(tile<BN, G, 32>, n, 0, 0);
  auto low = fma(low_nibble(q), by_group(scales.load(tile<BN, 1, G>, n, 0, 0)),
                 by_group(minimums.load(tile<BN, 1, G>, n, 0, 0)));
  auto high = fma(high_nibble(q), by_group(scales.load(tile<BN, 1, G>, n, 1, 0)),
                  by_group(minimums.load(tile<BN, 1, G>, n, 1, 0)));
  return reshape(reduce_sum<1>(reduce_sum<2>(low * first + high * second)), tile<1, BN>);
}

// One half of row m of x, (1, G, 32).
constexpr auto x_half(const In<f32, dyn, dyn>& x, const Index& m, int half) {
  return reshape(x.load(tile<1, HALF>, m, half), tile<1, G, 32>);
}

inline constexpr auto q4_row =
    kernel<"q4_row">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, dyn> x, In<u8, dyn, G, 32> quants,
                        In<f16, dyn, 2, G> scales, In<f16, dyn, 2, G> minimums) {
      z.store(q4_dot(quants, scales, minimums, b.pid(1), x_half(x, b.pid(0), 0), x_half(x, b.pid(0), 1)));
    });

// z = residual + product
inline constexpr auto q4_row_add =
    kernel<"q4_row_add">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, dyn> residual, In<f32, dyn, dyn> x,
                            In<u8, dyn, G, 32> quants, In<f16, dyn, 2, G> scales, In<f16, dyn, 2, G> minimums) {
      auto product = q4_dot(quants, scales, minimums, b.pid(1), x_half(x, b.pid(0), 0), x_half(x, b.pid(0), 1));
      z.store(load_like(residual, z) + product);
    });

// z = silu(x * gate weights) * (x * up weights)
inline constexpr auto q4_row_silu_mul = kernel<"q4_row_silu_mul">(
    [](Block b, Out<f32, 1, BN> z, In<f32, dyn, dyn> x, In<u8, dyn, G, 32> gate_quants, In<f16, dyn, 2, G> gate_scales,
       In<f16, dyn, 2, G> gate_minimums, In<u8, dyn, G, 32> up_quants, In<f16, dyn, 2, G> up_scales,
       In<f16, dyn, 2, G> up_minimums) {
      auto first = x_half(x, b.pid(0), 0);
      auto second = x_half(x, b.pid(0), 1);
      auto gate = q4_dot(gate_quants, gate_scales, gate_minimums, b.pid(1), first, second);
      auto up = q4_dot(up_quants, up_scales, up_minimums, b.pid(1), first, second);
      z.store(silu(gate) * up);
    });

inline constexpr auto q8_row =
    kernel<"q8_row">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, K> x, In<i8, dyn, K> quants, In<f16, dyn, G> scales) {
      auto row = reshape(x.load(tile<1, K>, b.pid(0), 0), tile<1, G, 32>);
      auto q = reshape(cast<f32>(quants.load(tile<BN, K>, b.pid(1), 0)), tile<BN, G, 32>);
      auto scale = reshape(cast<f32>(scales.load(tile<BN, G>, b.pid(1), 0)), tile<BN, G, 1>);
      z.store(reshape(reduce_sum<1>(reduce_sum<2>(q * row) * scale), tile<1, BN>));
    });

// ---- Many rows of x: z in pieces [BM, BN]; steps of BG groups, BK = 32 BG; BG must divide the groups ---------------

// The dequantised step k of half `half`, as (BK, BN) for mma.
template <class Quants, class Scales>
constexpr auto q4_weights(const Quants& quants, const Scales& scales, const Scales& minimums) {
  return transpose(reshape(fma(quants, by_group(scales), by_group(minimums)), tile<BN, BK>));
}

// x times BN rows of 4-bit weights, (BM, BN).
constexpr auto q4_product(Block b, const In<f32, dyn, dyn>& x, const In<u8, dyn, G, 32>& quants,
                          const In<f16, dyn, 2, G>& scales, const In<f16, dyn, 2, G>& minimums) {
  auto xt = x.partition(tile<BM, BK>);
  auto qt = quants.partition(tile<BN, BG, 32>);
  auto st = scales.partition(tile<BN, 1, BG>);
  auto mt = minimums.partition(tile<BN, 1, BG>);
  auto i = b.pid(0);
  auto n = b.pid(1);
  auto steps = qt.tiles(1);
  auto sum = b.zeros<f32>(tile<BM, BN>);
  for (auto k : range(steps).reduction()) {
    auto q = qt.load(n, k, 0);
    sum = mma(xt.load(i, k), q4_weights(low_nibble(q), st.load(n, 0, k), mt.load(n, 0, k)), sum);
    sum = mma(xt.load(i, k + steps), q4_weights(high_nibble(q), st.load(n, 1, k), mt.load(n, 1, k)), sum);
  }
  return sum;
}

inline constexpr auto q4_tile = kernel<"q4_tile">(
    [](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<u8, dyn, G, 32> quants, In<f16, dyn, 2, G> scales,
       In<f16, dyn, 2, G> minimums) { z.store(q4_product(b, x, quants, scales, minimums)); });

inline constexpr auto q4_tile_add =
    kernel<"q4_tile_add">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> residual, In<f32, dyn, dyn> x,
                             In<u8, dyn, G, 32> quants, In<f16, dyn, 2, G> scales, In<f16, dyn, 2, G> minimums) {
      z.store(load_like(residual, z) + q4_product(b, x, quants, scales, minimums));
    });

inline constexpr auto q4_tile_silu_mul = kernel<"q4_tile_silu_mul">(
    [](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<u8, dyn, G, 32> gate_quants, In<f16, dyn, 2, G> gate_scales,
       In<f16, dyn, 2, G> gate_minimums, In<u8, dyn, G, 32> up_quants, In<f16, dyn, 2, G> up_scales,
       In<f16, dyn, 2, G> up_minimums) {
      auto gate = q4_product(b, x, gate_quants, gate_scales, gate_minimums);
      z.store(silu(gate) * q4_product(b, x, up_quants, up_scales, up_minimums));
    });

inline constexpr auto q8_tile = kernel<"q8_tile">(
    [](Block b, Out<f32, BM, BN> z, In<f32, dyn, K> x, In<i8, dyn, K> quants, In<f16, dyn, G> scales) {
      auto xt = x.partition(tile<BM, BK>);
      auto qt = quants.partition(tile<BN, BK>);
      auto st = scales.partition(tile<BN, BG>);
      auto sum = b.zeros<f32>(tile<BM, BN>);
      for (auto k : range(qt.tiles(1)).reduction()) {
        auto q = reshape(cast<f32>(qt.load(b.pid(1), k)), tile<BN, BG, 32>);
        auto weights = q * reshape(cast<f32>(st.load(b.pid(1), k)), tile<BN, BG, 1>);
        sum = mma(xt.load(b.pid(0), k), transpose(reshape(weights, tile<BN, BK>)), sum);
      }
      z.store(sum);
    });

}  // namespace tilewright::kernels
