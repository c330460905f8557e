// SPDX-License-Identifier: Apache-2.0
// Tensors made from little or nothing: block numbers, arange, linspace, full, eye, convert, one-hot rows.
// Peers: cuTile Rust's core crate (full, arange, linspace, eye, convert) and hello_world.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

// Each block says who it is: z [blocks, blocks] in pieces [1, 1].
inline constexpr auto hello = kernel<"hello">(
    [](Block b, Out<i64, 1, 1> z) { z.store(b.full<i64>(tile<1, 1>, cast<i64>(b.pid(0) * b.grid(1) + b.pid(1)))); });

// Where the elements of this block's piece stand on an axis, as a tile with these extents.
template <Dim Piece, Dim... Extents>
constexpr auto places(Block b, int axis, extent_list<Extents...> extents) {
  return b.iota<index_element>(extents) + b.pid(axis) * b.size(tile<Piece>);
}

// z[i] = first + i step
inline constexpr auto arange = kernel<"arange">([](Block b, Out<i32, BN> z, Scalar<i32> first, Scalar<i32> step) {
  z.store(cast<i32>(places<BN>(b, 0, tile<BN>)) * step + first);
});

// As many numbers as z has, evenly from first to last, both of which come out exactly.
inline constexpr auto linspace = kernel<"linspace">([](Block b, Out<f32, BN> z, Scalar<f32> first, Scalar<f32> last) {
  auto place = places<BN>(b, 0, tile<BN>);
  auto steps = z.extent(0) - 1;
  auto step = (last - first) / cast<f32>(max(steps, 1));
  auto is_last = (place == steps) & (steps > 0);
  z.store(select(is_last, last, fma(cast<f32>(place), step, first)));
});

template <class T>
inline constexpr auto full = kernel<"full">([](Block b, Out<T, BM, BN> z, Scalar<T> value) {
  z.store(b.full<T>(tile<BM, BN>, value));
});

// 1 on the diagonal `offset` columns to the right of the main one, else 0.
template <class T>
inline constexpr auto eye = kernel<"eye">([](Block b, Out<T, BM, BN> z, Scalar<i32> offset) {
  auto row = places<BM>(b, 0, tile<BM, 1>);
  auto column = places<BN>(b, 1, tile<1, BN>);
  z.store(cast<T>(column - row == to_index(offset)));
});

template <class To, class From>
inline constexpr auto convert = kernel<"convert">([](Out<To, BM, BN> z, In<From, dyn, dyn> x) {
  z.store(cast<To>(load_like(x, z)));
});

// Row i has a 1 in column ids[i], if there is such a column.
template <class T>
inline constexpr auto one_hot_rows = kernel<"one_hot_rows">([](Block b, Out<T, BM, BN> z, In<i32, dyn> ids) {
  require_equal(ids.extent(0), z.extent(0));
  auto here = to_index(ids.load(tile<BM>, b.pid(0))) - b.pid(1) * b.size(tile<BN>);
  z.store(one_hot<T, BN>(here));
});

}  // namespace tilewright::ports
