// SPDX-License-Identifier: Apache-2.0
// expect-error: error_loop_variable_indexes_two_axes
// expect-error: line<13>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, dyn, dyn> z) {
  auto zt = z.partition(tile<8, 8>);
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(zt.tiles(0))) {
    zt.store(i, i, b.zeros<f32>(tile<8, 8>));
  }
#else
  for (auto i : range(zt.tiles(0))) {
    for (auto j : range(zt.tiles(1))) zt.store(i, j, b.zeros<f32>(tile<8, 8>));
  }
#endif
});
