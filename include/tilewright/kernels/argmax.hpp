// SPDX-License-Identifier: Apache-2.0
// Position of the greatest element of each row: the lowest among equals, the first NaN before all; -0 equals +0.
// The row is walked in tiles of BN, so its length is not part of the image.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// Least value of an element: what a lane past the row holds. It never wins, as it stands after all real lanes.
template <class T>
inline constexpr auto least = -inf;
template <>
inline constexpr i32 least<i32> = INT32_MIN;
template <>
inline constexpr i32 least<i8> = -128;

template <class Where, class Best>
struct argmax_state {
  Where where;  // (BM, 1), Index
  Best best;    // (BM, 1)
};
template <class Where, class Best>
argmax_state(Where, Best) -> argmax_state<Where, Best>;

template <class T>
constexpr auto find_greatest(Block b, const In<T, dyn, dyn>& x) {
  auto xt = x.partition(tile<BM, BN>);
  auto first = xt.load(b.pid(0), 0, pad(least<T>));  // a launch is refused where this tile is not there
  auto best = reduce_max<1>(first);
  auto where = argmax<1>(first);
  for (auto j : range(1, xt.tiles(1))) {
    auto row = xt.load(b.pid(0), j, pad(least<T>));
    auto greatest = reduce_max<1>(row);
    auto position = argmax<1>(row) + j * b.size(tile<BN>);
    auto better = (greatest > best) | ((greatest != greatest) & (best == best));
    where = select(better, position, where);
    best = select(better, greatest, best);
  }
  return argmax_state{where, best};
}

// x [M, columns]; z [M] in pieces of BM rows. A row without columns has no greatest element: usage_error.
template <class T>
constexpr auto argmax_row() {
  return kernel<"argmax_row">([](Block b, Out<i64, BM> z, In<T, dyn, dyn> x) {
           require_equal(x.extent(0), z.extent(0));
           z.store(cast<i64>(reshape(find_greatest(b, x).where, tile<BM>)));
         })
      .defaults(BN = 1024);
}

// As argmax_row, and the greatest element itself, [M] in pieces of BM rows: NaN when the row holds one.
template <class T>
constexpr auto argmax_row_value() {
  return kernel<"argmax_row_value">([](Block b, Out<i64, BM> z, Out<T, BM> greatest, In<T, dyn, dyn> x) {
           require_equal(x.extent(0), z.extent(0));
           require_equal(x.extent(0), greatest.extent(0));
           auto state = find_greatest(b, x);
           z.store(cast<i64>(reshape(state.where, tile<BM>)));
           greatest.store(reshape(state.best, tile<BM>));
         })
      .defaults(BN = 1024);
}

}  // namespace tilewright::kernels
