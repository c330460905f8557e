// SPDX-License-Identifier: Apache-2.0
// Position of the greatest element of each row: the lowest among equals, the first NaN before all; -0 equals +0.
// The row is walked in tiles of BN, so its length is not part of the image.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
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

// Long rows in two launches. First each piece of BN columns: x [M, columns]; where, greatest [M, pieces] in pieces
// [1, 1].
template <class T>
constexpr auto argmax_pieces() {
  return kernel<"argmax_pieces">([](Block b, Out<i64, 1, 1> where, Out<T, 1, 1> greatest, In<T, dyn, dyn> x) {
           require_equal(x.extent(0), where.extent(0));
           require_same_shape(where, greatest);
           require_equal(x.partition(tile<1, BN>).tiles(1), where.extent(1));
           auto row = x.load(tile<1, BN>, b.pid(0), b.pid(1), pad(least<T>));
           where.store(cast<i64>(argmax<1>(row) + b.pid(1) * b.size(tile<BN>)));
           greatest.store(reduce_max<1>(row));
         })
      .defaults(BN = 1024);
}

// Then the pieces; z, value [M, 1] in pieces [1, 1]; PIECES of them at most.
template <class T>
constexpr auto argmax_join() {
  return kernel<"argmax_join">(
      [](Block b, Out<i64, 1, 1> z, Out<T, 1, 1> value, In<i64, dyn, dyn> where, In<T, dyn, dyn> greatest) {
        require_same_shape(where, greatest);
        require_equal(where.extent(0), z.extent(0));
        require_equal(min(where.extent(1), b.size(tile<PIECES>)), where.extent(1));
        auto values = greatest.load(tile<1, PIECES>, b.pid(0), 0, pad(least<T>));
        auto is_best = b.iota<index_element>(tile<1, PIECES>) == argmax<1>(values);
        z.store(reduce_sum<1>(select(is_best, where.load(tile<1, PIECES>, b.pid(0), 0, pad(0)), 0)));
        value.store(reduce_max<1>(values));
      });
}

}  // namespace tilewright::kernels
