// SPDX-License-Identifier: Apache-2.0
// Products of a transformer's step with dense weights [N, K], fused with what stands around them: z = x * weights^T for
// rows of x [M, K], f32 accumulation, rounded once.
// The norm in front of a product needs its whole row, so its producer prepares it (prepared_row): x there is the row
// times the norm's weight, `squares` [M, pieces] the sums of squares of the unscaled row's pieces; the product only
// scales its result. Kernels with `_row` serve one row by multiply-adds, which small N needs to fill a device; the
// others feed mma with BN rows of weights as its left operand and BM rows of x, so that weights stream for few rows
// too.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/embedding.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

inline constexpr Dim HALF_BN{"HALF_BN"};  // BN / 2

// Rows of gate weights that stand together, followed by as many of up weights.
inline constexpr int gate_rows = 32;

// ---- Parts ----------------------------------------------------------------------------------------------------------
// BM rows of x times BN rows of weights, (BM, BN).
template <class T, Dim Rows>
constexpr auto dense_tile(Block b, const In<T, Rows, dyn>& x, const In<T, dyn, dyn>& weights) {
  require_equal(weights.extent(1), x.extent(1));
  auto xt = x.partition(tile<BM, BK>);
  auto wt = weights.partition(tile<BN, BK>);
  auto sum = b.zeros<f32>(tile<BN, BM>);
  for (auto k : range(wt.tiles(1)).reduction()) {
    sum = mma(wt.load(b.pid(1), k, pad(0)), transpose(xt.load(b.pid(0), k, pad(0))), sum);
  }
  return transpose(sum);
}

// One row of x times BN rows of weights, (1, BN): lane by lane, summed once at the end.
template <class T>
constexpr auto dense_dot(Block b, const In<T, dyn, dyn>& x, const In<T, dyn, dyn>& weights) {
  require_equal(weights.extent(1), x.extent(1));
  auto xt = x.partition(tile<1, BK>);
  auto wt = weights.partition(tile<BN, BK>);
  auto sum = b.zeros<f32>(tile<BN, BK>);
  for (auto k : range(wt.tiles(1))) {
    sum = fma(cast<f32>(wt.load(b.pid(1), k, pad(0))), cast<f32>(xt.load(b.pid(0), k, pad(0))), sum);
  }
  return reshape(reduce_sum<1>(sum), tile<1, BN>);
}

// What rms_norm divides by, inverted: of the Rows rows at block row pid(0), whose width is `columns`.
template <Dim Rows, Dim All>
constexpr auto inverse_norm(Block b, const In<f32, All, dyn>& squares, const Index& columns,
                            const Scalar<f32>& epsilon) {
  require_equal(min(squares.extent(1), b.size(tile<PIECES>)), squares.extent(1));
  auto sum = reduce_sum<1>(squares.load(tile<Rows, PIECES>, b.pid(0), 0, pad(0)));
  return rsqrt(sum / cast<f32>(columns) + epsilon);
}

// Stores rows of the residual stream (Rows, BN), and what the product behind the next norm takes.
template <Dim Rows, class T, class Values>
constexpr void store_prepared(Block b, const Out<f32, Rows, BN>& z, const Out<T, Rows, BN>& scaled,
                              const Out<f32, Rows, 1>& squares, const In<f32, dyn>& norm, const Values& values) {
  require_same_shape(z, scaled);
  require_equal(squares.extent(0), z.extent(0));
  require_equal(norm.extent(0), z.extent(1));
  z.store(values);
  scaled.store(cast<T>(values * reshape(norm.load(tile<BN>, b.pid(1), pad(0)), tile<1, BN>)));
  squares.store(reduce_sum<1>(values * values));
}

// Residual rows at this block's place.
template <Dim Rows>
constexpr auto residual_rows(Block b, const In<f32, dyn, dyn>& residual) {
  return residual.load(tile<Rows, BN>, b.pid(0), b.pid(1), pad(0));
}

// ---- z = x * weights; z in pieces [BM, BN] or [1, BN] --------------------------------------------------------------
template <class T, class Z = T>
constexpr auto dense() {
  return kernel<"dense">([](Block b, Out<Z, BM, BN> z, In<T, dyn, dyn> x, In<T, dyn, dyn> weights) {
           require_equal(x.extent(0), z.extent(0));
           require_equal(weights.extent(0), z.extent(1));
           z.store(cast<Z>(dense_tile<T>(b, x, weights)));
         })
      .defaults(BK = 256);
}

template <class T, class Z = T>
constexpr auto dense_row() {
  return kernel<"dense_row">([](Block b, Out<Z, 1, BN> z, In<T, dyn, dyn> x, In<T, dyn, dyn> weights) {
           require_equal(x.extent(0), z.extent(0));
           require_equal(weights.extent(0), z.extent(1));
           z.store(cast<Z>(dense_dot<T>(b, x, weights)));
         })
      .defaults(BK = 1024);
}

// Rows whose norms a tile of BM rows needs: of a single row there is one.
inline constexpr Dim one_row{1};
template <Dim Rows>
inline constexpr Dim norm_rows = Rows == one_row ? one_row : BM;

// ---- z = rms_norm * weights; z in pieces [BM, BN] or [1, BN]. Rows: one_row, or dyn for any number ------------------
template <class T, class Z, Dim Rows = dyn>
constexpr auto dense_norm() {
  return kernel<"dense_norm">([](Block b, Out<Z, BM, BN> z, In<T, Rows, dyn> x, In<f32, Rows, dyn> squares,
                                 Scalar<f32> epsilon, In<T, dyn, dyn> weights) {
    require_equal(x.extent(0), z.extent(0));
    require_equal(squares.extent(0), z.extent(0));
    require_equal(weights.extent(0), z.extent(1));
    auto scale = inverse_norm<norm_rows<Rows>>(b, squares, x.extent(1), epsilon);
    z.store(cast<Z>(dense_tile<T>(b, x, weights) * scale));
  });
}

template <class T, class Z>
constexpr auto dense_norm_row() {
  return kernel<"dense_norm_row">([](Block b, Out<Z, 1, BN> z, In<T, dyn, dyn> x, In<f32, dyn, dyn> squares,
                                     Scalar<f32> epsilon, In<T, dyn, dyn> weights) {
    require_equal(x.extent(0), z.extent(0));
    require_equal(squares.extent(0), z.extent(0));
    require_equal(weights.extent(0), z.extent(1));
    auto scale = inverse_norm<Dim(1)>(b, squares, x.extent(1), epsilon);
    z.store(cast<Z>(dense_dot<T>(b, x, weights) * scale));
  });
}

// ---- z = silu(y * gate) * (y * up), y = rms_norm; both weights in one tensor of 2 N rows, gate_rows of each in turn -
// BN = 2 gate_rows, HALF_BN = gate_rows; z in pieces [BM, HALF_BN].
template <class T, Dim Rows = dyn>
constexpr auto dense_norm_silu_mul() {
  return kernel<"dense_norm_silu_mul">([](Block b, Out<T, BM, HALF_BN> z, In<T, Rows, dyn> x,
                                          In<f32, Rows, dyn> squares, Scalar<f32> epsilon, In<T, dyn, dyn> weights) {
           require_equal(x.extent(0), z.extent(0));
           require_equal(squares.extent(0), z.extent(0));
           require_equal(weights.extent(0), z.extent(1) * 2);
           auto scale = inverse_norm<norm_rows<Rows>>(b, squares, x.extent(1), epsilon);
           auto product = dense_tile<T>(b, x, weights) * scale;
           auto gate = extract<0, 0>(product, tile<BM, HALF_BN>);
           z.store(cast<T>(silu(gate) * extract<0, 1>(product, tile<BM, HALF_BN>)));
         })
      .with(BN = 2 * gate_rows);
}

// The weights seen as [N / gate_rows, 2, gate_rows, K] and z as [M, N / gate_rows, gate_rows] in pieces [1, 1, BN].
template <class T>
constexpr auto dense_norm_silu_mul_row() {
  return kernel<"dense_norm_silu_mul_row">([](Block b, Out<T, 1, 1, BN> z, In<T, dyn, dyn> x, In<f32, dyn, dyn> squares,
                                              Scalar<f32> epsilon, In<T, dyn, 2, gate_rows, dyn> weights) {
    require_equal(x.extent(0), z.extent(0));
    require_equal(squares.extent(0), z.extent(0));
    require_equal(weights.extent(0), z.extent(1));
    require_equal(weights.extent(2), z.extent(2));
    require_equal(weights.extent(3), x.extent(1));
    auto xt = x.partition(tile<1, BK>);
    auto wt = weights.partition(tile<1, 1, BN, BK>);
    auto gates = b.zeros<f32>(tile<BN, BK>);
    auto ups = b.zeros<f32>(tile<BN, BK>);
    for (auto k : range(wt.tiles(3))) {
      auto row = cast<f32>(xt.load(b.pid(0), k, pad(0)));
      gates = fma(cast<f32>(reshape(wt.load(b.pid(1), 0, b.pid(2), k, pad(0)), tile<BN, BK>)), row, gates);
      ups = fma(cast<f32>(reshape(wt.load(b.pid(1), 1, b.pid(2), k, pad(0)), tile<BN, BK>)), row, ups);
    }
    auto scale = inverse_norm<Dim(1)>(b, squares, x.extent(1), epsilon);
    auto gate = reshape(reduce_sum<1>(gates), tile<1, BN>) * scale;
    auto up = reshape(reduce_sum<1>(ups), tile<1, BN>) * scale;
    z.store(reshape(cast<T>(silu(gate) * up), tile<1, 1, BN>));
  });
}

// ---- z = residual + x * weights, prepared for the next norm; pieces [BM, BN] or [1, BN], of squares [BM, 1] or [1, 1]
template <class T>
constexpr auto dense_add() {
  return kernel<"dense_add">([](Block b, Out<f32, BM, BN> z, Out<T, BM, BN> scaled, Out<f32, BM, 1> squares,
                                In<f32, dyn, dyn> residual, In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                                In<f32, dyn> norm) {
    require_same_shape(residual, z);
    require_equal(x.extent(0), z.extent(0));
    require_equal(weights.extent(0), z.extent(1));
    store_prepared<BM>(b, z, scaled, squares, norm, residual_rows<BM>(b, residual) + dense_tile<T>(b, x, weights));
  });
}

template <class T>
constexpr auto dense_add_row() {
  return kernel<"dense_add_row">([](Block b, Out<f32, 1, BN> z, Out<T, 1, BN> scaled, Out<f32, 1, 1> squares,
                                    In<f32, dyn, dyn> residual, In<T, dyn, dyn> x, In<T, dyn, dyn> weights,
                                    In<f32, dyn> norm) {
    require_same_shape(residual, z);
    require_equal(x.extent(0), z.extent(0));
    require_equal(weights.extent(0), z.extent(1));
    auto values = residual_rows<Dim(1)>(b, residual) + dense_dot<T>(b, x, weights);
    store_prepared<Dim(1)>(b, z, scaled, squares, norm, values);
  });
}

// ---- Row ids[t] of a table as row t of the stream, prepared; ids outside are clamped; BN divides the columns
template <class T>
constexpr auto embedding_prepared() {
  return kernel<"embedding_prepared">([](Block b, Out<f32, 1, BN> z, Out<T, 1, BN> scaled, Out<f32, 1, 1> squares,
                                         In<T, dyn, dyn> table, In<i64, dyn> ids, In<f32, dyn> norm) {
    require_equal(ids.extent(0), z.extent(0));
    require_equal(table.extent(1), z.extent(1));
    auto row = clamped_row(b, ids, table.extent(0));
    auto values = cast<f32>(table.gather_rows(row, tile<1, BN>, b.pid(1)));
    store_prepared<Dim(1)>(b, z, scaled, squares, norm, values);
  });
}

}  // namespace tilewright::kernels
