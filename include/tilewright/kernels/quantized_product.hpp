// SPDX-License-Identifier: Apache-2.0
// Products with block-quantised weights: z[m, n] = sum over k of x[m, k] * w[n, k], w in the planes of quantized.hpp,
// x and z f32, f32 accumulation. The `_row` kernels serve few rows of x (decode: weights are read once, element-wise);
// the `_tile` kernels many (prefill: a dequantised tile feeds mma).
// Rows and planes are seen in groups of 32 columns, as the scales count them: no tile then joins an axis whose extent
// is no power of two with another, which a GPU could not do.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// Scales or minimums of one half, from (rows, 1, groups) to (rows, groups, 1), to spread over the 32 of each group.
template <class Plane>
constexpr auto by_group(const Plane& plane) {
  return permute<0, 2, 1>(plane);
}

template <class Quants>
constexpr auto low_nibble(const Quants& quants) {
  return cast<f32>(quants & 15);
}
template <class Quants>
constexpr auto high_nibble(const Quants& quants) {
  return cast<f32>(quants >> 4);
}

// z has a row for each of x and a column for each row of the weights.
template <class Z, class X, class Quants>
constexpr void require_product(const Z& z, const X& x, const Quants& quants,
                               ast::source_place where = ast::source_place()) {
  require_equal(x.extent(0, where), z.extent(0, where), where);
  require_equal(quants.extent(0, where), z.extent(1, where), where);
}

// Planes of as many rows of weights.
template <class Quants, class Plane>
constexpr void require_equal_rows(const Quants& quants, const Plane& plane,
                                  ast::source_place where = ast::source_place()) {
  require_equal(plane.extent(0, where), quants.extent(0, where), where);
}

// ---- Few rows of x: z in pieces [1, BN]; x [M, 2, G, 32] and norm [2, G, 32], in 8 bits x [M, G, 32], norm [G, 32] --

// One half of row m of x, (1, G, 32).
constexpr auto x_half(const In<f32, dyn, 2, G, 32>& x, const Index& m, int half) {
  return reshape(x.load(tile<1, 1, G, 32>, m, half, 0, 0), tile<1, G, 32>);
}

// A row of x as its two halves.
template <class Half>
struct row_halves {
  Half first, second;
};
template <class Half>
row_halves(Half, Half) -> row_halves<Half>;

constexpr auto row_of(const In<f32, dyn, 2, G, 32>& x, const Index& m) {
  return row_halves{x_half(x, m, 0), x_half(x, m, 1)};
}

// Row m of x over its root mean square, times the norm's weight: rms_norm inside the product that follows it.
constexpr auto normalized_row_of(const In<f32, dyn, 2, G, 32>& x, const Index& m, const In<f32, 2, G, 32>& norm,
                                 const Scalar<f32>& epsilon) {
  auto row = row_of(x, m);
  auto squares = reduce_sum<2>(reduce_sum<1>(row.first * row.first + row.second * row.second));
  auto scale = rsqrt(squares / cast<f32>(x.extent(2) * 64) + epsilon);
  return row_halves{row.first * scale * norm.load(tile<1, G, 32>, 0, 0, 0),
                    row.second * scale * norm.load(tile<1, G, 32>, 1, 0, 0)};
}

// BN rows of 4-bit weights times a row of x, as (1, BN). Groups are summed first, lane by lane.
template <class Row>
constexpr auto q4_dot(const In<u8, dyn, G, 32>& quants, const In<f32, dyn, 2, G>& scales,
                      const In<f32, dyn, 2, G>& minimums, const Index& n, const Row& row) {
  require_equal_rows(quants, scales);
  require_equal_rows(quants, minimums);
  auto q = quants.load(tile<BN, G, 32>, n, 0, 0);
  auto low = fma(low_nibble(q), by_group(scales.load(tile<BN, 1, G>, n, 0, 0)),
                 by_group(minimums.load(tile<BN, 1, G>, n, 0, 0)));
  auto high = fma(high_nibble(q), by_group(scales.load(tile<BN, 1, G>, n, 1, 0)),
                  by_group(minimums.load(tile<BN, 1, G>, n, 1, 0)));
  return reshape(reduce_sum<2>(reduce_sum<1>(fma(low, row.first, high * row.second))), tile<1, BN>);
}

// silu(row * gate weights) * (row * up weights)
template <class Row>
constexpr auto q4_gated(const In<u8, dyn, G, 32>& gate_quants, const In<f32, dyn, 2, G>& gate_scales,
                        const In<f32, dyn, 2, G>& gate_minimums, const In<u8, dyn, G, 32>& up_quants,
                        const In<f32, dyn, 2, G>& up_scales, const In<f32, dyn, 2, G>& up_minimums, const Index& n,
                        const Row& row) {
  auto gate = q4_dot(gate_quants, gate_scales, gate_minimums, n, row);
  return silu(gate) * q4_dot(up_quants, up_scales, up_minimums, n, row);
}

inline constexpr auto q4_row =
    kernel<"q4_row">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, 2, G, 32> x, In<u8, dyn, G, 32> quants,
                        In<f32, dyn, 2, G> scales, In<f32, dyn, 2, G> minimums) {
      require_product(z, x, quants);
      z.store(q4_dot(quants, scales, minimums, b.pid(1), row_of(x, b.pid(0))));
    });

// z = rms_norm(x) * weights
inline constexpr auto q4_row_norm = kernel<"q4_row_norm">(
    [](Block b, Out<f32, 1, BN> z, In<f32, dyn, 2, G, 32> x, In<f32, 2, G, 32> norm, Scalar<f32> epsilon,
       In<u8, dyn, G, 32> quants, In<f32, dyn, 2, G> scales, In<f32, dyn, 2, G> minimums) {
      require_product(z, x, quants);
      z.store(q4_dot(quants, scales, minimums, b.pid(1), normalized_row_of(x, b.pid(0), norm, epsilon)));
    });

// z = residual + product
inline constexpr auto q4_row_add =
    kernel<"q4_row_add">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, dyn> residual, In<f32, dyn, 2, G, 32> x,
                            In<u8, dyn, G, 32> quants, In<f32, dyn, 2, G> scales, In<f32, dyn, 2, G> minimums) {
      require_same_shape(residual, z);
      require_product(z, x, quants);
      z.store(load_like(residual, z) + q4_dot(quants, scales, minimums, b.pid(1), row_of(x, b.pid(0))));
    });

// z = silu(x * gate weights) * (x * up weights)
inline constexpr auto q4_row_silu_mul = kernel<"q4_row_silu_mul">(
    [](Block b, Out<f32, 1, BN> z, In<f32, dyn, 2, G, 32> x, In<u8, dyn, G, 32> gate_quants,
       In<f32, dyn, 2, G> gate_scales, In<f32, dyn, 2, G> gate_minimums, In<u8, dyn, G, 32> up_quants,
       In<f32, dyn, 2, G> up_scales, In<f32, dyn, 2, G> up_minimums) {
      require_product(z, x, gate_quants);
      require_product(z, x, up_quants);
      z.store(q4_gated(gate_quants, gate_scales, gate_minimums, up_quants, up_scales, up_minimums, b.pid(1),
                       row_of(x, b.pid(0))));
    });

// The same of rms_norm(x).
inline constexpr auto q4_row_norm_silu_mul = kernel<"q4_row_norm_silu_mul">(
    [](Block b, Out<f32, 1, BN> z, In<f32, dyn, 2, G, 32> x, In<f32, 2, G, 32> norm, Scalar<f32> epsilon,
       In<u8, dyn, G, 32> gate_quants, In<f32, dyn, 2, G> gate_scales, In<f32, dyn, 2, G> gate_minimums,
       In<u8, dyn, G, 32> up_quants, In<f32, dyn, 2, G> up_scales, In<f32, dyn, 2, G> up_minimums) {
      require_product(z, x, gate_quants);
      require_product(z, x, up_quants);
      z.store(q4_gated(gate_quants, gate_scales, gate_minimums, up_quants, up_scales, up_minimums, b.pid(1),
                       normalized_row_of(x, b.pid(0), norm, epsilon)));
    });

// Row m of x as (1, G, 32), and that row normalised.
constexpr auto q8_row_of(const In<f32, dyn, G, 32>& x, const Index& m) { return x.load(tile<1, G, 32>, m, 0, 0); }
constexpr auto q8_normalized_row_of(const In<f32, dyn, G, 32>& x, const Index& m, const In<f32, G, 32>& norm,
                                    const Scalar<f32>& epsilon) {
  auto row = q8_row_of(x, m);
  auto squares = reduce_sum<2>(reduce_sum<1>(row * row));
  auto scale = rsqrt(squares / cast<f32>(x.extent(1) * 32) + epsilon);
  return row * scale * reshape(norm.load(tile<G, 32>, 0, 0), tile<1, G, 32>);
}

// BN rows of 8-bit weights times a row of x (1, G, 32), as (1, BN).
template <class Row>
constexpr auto q8_dot(const In<i8, dyn, G, 32>& quants, const In<f32, dyn, G>& scales, const Index& n, const Row& row) {
  require_equal_rows(quants, scales);
  auto q = cast<f32>(quants.load(tile<BN, G, 32>, n, 0, 0));
  auto scale = reshape(scales.load(tile<BN, G>, n, 0), tile<BN, G, 1>);
  return reshape(reduce_sum<2>(reduce_sum<1>(q * scale * row)), tile<1, BN>);
}

inline constexpr auto q8_row = kernel<"q8_row">(
    [](Block b, Out<f32, 1, BN> z, In<f32, dyn, G, 32> x, In<i8, dyn, G, 32> quants, In<f32, dyn, G> scales) {
      require_product(z, x, quants);
      z.store(q8_dot(quants, scales, b.pid(1), q8_row_of(x, b.pid(0))));
    });

// z = rms_norm(x) * weights
inline constexpr auto q8_row_norm =
    kernel<"q8_row_norm">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, G, 32> x, In<f32, G, 32> norm,
                             Scalar<f32> epsilon, In<i8, dyn, G, 32> quants, In<f32, dyn, G> scales) {
      require_product(z, x, quants);
      z.store(q8_dot(quants, scales, b.pid(1), q8_normalized_row_of(x, b.pid(0), norm, epsilon)));
    });

// z = residual + product
inline constexpr auto q8_row_add =
    kernel<"q8_row_add">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, dyn> residual, In<f32, dyn, G, 32> x,
                            In<i8, dyn, G, 32> quants, In<f32, dyn, G> scales) {
      require_same_shape(residual, z);
      require_product(z, x, quants);
      z.store(load_like(residual, z) + q8_dot(quants, scales, b.pid(1), q8_row_of(x, b.pid(0))));
    });

// z = silu(y * gate weights) * (y * up weights), y = rms_norm(x)
inline constexpr auto q8_row_norm_silu_mul =
    kernel<"q8_row_norm_silu_mul">([](Block b, Out<f32, 1, BN> z, In<f32, dyn, G, 32> x, In<f32, G, 32> norm,
                                      Scalar<f32> epsilon, In<i8, dyn, G, 32> gate_quants, In<f32, dyn, G> gate_scales,
                                      In<i8, dyn, G, 32> up_quants, In<f32, dyn, G> up_scales) {
      require_product(z, x, gate_quants);
      require_product(z, x, up_quants);
      auto row = q8_normalized_row_of(x, b.pid(0), norm, epsilon);
      auto gate = q8_dot(gate_quants, gate_scales, b.pid(1), row);
      z.store(silu(gate) * q8_dot(up_quants, up_scales, b.pid(1), row));
    });

// ---- Many rows of x: z in pieces [BM, BN], x [M, K]; steps of BG groups, BK = 32 BG; BG divides the groups ---------

// The dequantised step k of half `half`, as (BK, BN) for mma.
template <class Quants, class Scales>
constexpr auto q4_weights(const Quants& quants, const Scales& scales, const Scales& minimums) {
  return transpose(reshape(fma(quants, by_group(scales), by_group(minimums)), tile<BN, BK>));
}

// x times BN rows of 4-bit weights, (BM, BN).
constexpr auto q4_product(Block b, const In<f32, dyn, dyn>& x, const In<u8, dyn, G, 32>& quants,
                          const In<f32, dyn, 2, G>& scales, const In<f32, dyn, 2, G>& minimums) {
  require_equal_rows(quants, scales);
  require_equal_rows(quants, minimums);
  require_equal(quants.extent(1) * 64, x.extent(1));
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

inline constexpr auto q4_tile =
    kernel<"q4_tile">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<u8, dyn, G, 32> quants,
                         In<f32, dyn, 2, G> scales, In<f32, dyn, 2, G> minimums) {
      require_product(z, x, quants);
      z.store(q4_product(b, x, quants, scales, minimums));
    });

inline constexpr auto q4_tile_add =
    kernel<"q4_tile_add">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> residual, In<f32, dyn, dyn> x,
                             In<u8, dyn, G, 32> quants, In<f32, dyn, 2, G> scales, In<f32, dyn, 2, G> minimums) {
      require_same_shape(residual, z);
      require_product(z, x, quants);
      z.store(load_like(residual, z) + q4_product(b, x, quants, scales, minimums));
    });

inline constexpr auto q4_tile_silu_mul = kernel<"q4_tile_silu_mul">(
    [](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<u8, dyn, G, 32> gate_quants, In<f32, dyn, 2, G> gate_scales,
       In<f32, dyn, 2, G> gate_minimums, In<u8, dyn, G, 32> up_quants, In<f32, dyn, 2, G> up_scales,
       In<f32, dyn, 2, G> up_minimums) {
      require_product(z, x, gate_quants);
      require_product(z, x, up_quants);
      auto gate = q4_product(b, x, gate_quants, gate_scales, gate_minimums);
      z.store(silu(gate) * q4_product(b, x, up_quants, up_scales, up_minimums));
    });

// x times BN rows of 8-bit weights, (BM, BN).
constexpr auto q8_product(Block b, const In<f32, dyn, dyn>& x, const In<i8, dyn, G, 32>& quants,
                          const In<f32, dyn, G>& scales) {
  require_equal_rows(quants, scales);
  require_equal(quants.extent(1) * 32, x.extent(1));
  auto xt = x.partition(tile<BM, BK>);
  auto qt = quants.partition(tile<BN, BG, 32>);
  auto st = scales.partition(tile<BN, BG>);
  auto sum = b.zeros<f32>(tile<BM, BN>);
  for (auto k : range(qt.tiles(1)).reduction()) {
    auto weights = cast<f32>(qt.load(b.pid(1), k, 0)) * reshape(st.load(b.pid(1), k), tile<BN, BG, 1>);
    sum = mma(xt.load(b.pid(0), k), transpose(reshape(weights, tile<BN, BK>)), sum);
  }
  return sum;
}

inline constexpr auto q8_tile = kernel<"q8_tile">(
    [](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i8, dyn, G, 32> quants, In<f32, dyn, G> scales) {
      require_product(z, x, quants);
      z.store(q8_product(b, x, quants, scales));
    });

inline constexpr auto q8_tile_add =
    kernel<"q8_tile_add">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> residual, In<f32, dyn, dyn> x,
                             In<i8, dyn, G, 32> quants, In<f32, dyn, G> scales) {
      require_same_shape(residual, z);
      require_product(z, x, quants);
      z.store(load_like(residual, z) + q8_product(b, x, quants, scales));
    });

inline constexpr auto q8_tile_silu_mul = kernel<"q8_tile_silu_mul">(
    [](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i8, dyn, G, 32> gate_quants, In<f32, dyn, G> gate_scales,
       In<i8, dyn, G, 32> up_quants, In<f32, dyn, G> up_scales) {
      require_product(z, x, gate_quants);
      require_product(z, x, up_quants);
      auto gate = q8_product(b, x, gate_quants, gate_scales);
      z.store(silu(gate) * q8_product(b, x, up_quants, up_scales));
    });

}  // namespace tilewright::kernels
