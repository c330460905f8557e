// SPDX-License-Identifier: Apache-2.0
// expect-error: error_break_or_return_out_of_a_traced_loop
// The loop is traced once and runs on the device: a C++ break would cut the trace, not the loop.
#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BK{"BK"};

inline constexpr auto row_sum = kernel<"row_sum">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto tiles = x.partition(tile<B, BK>);
  auto sum = b.zeros<f32>(tile<B, 1>);
  for (auto k : range(tiles.tiles(1))) {
    sum = sum + reduce_sum<1>(tiles.load(b.pid(0), k, pad(0)));
#ifndef TILEWRIGHT_FIXED
    break;
#endif
  }
  z.store(sum);
});
