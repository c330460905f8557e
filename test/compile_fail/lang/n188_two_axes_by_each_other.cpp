// SPDX-License-Identifier: Apache-2.0
// expect-error: error_loop_does_not_run_over_all_tiles_of_the_axis
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, dyn, dyn> z) {
  auto zt = z.partition(tile<8, 8>);
  for (auto i : range(zt.tiles(0))) {
    for (auto j : range(zt.tiles(1))) {
#ifndef TILEWRIGHT_FIXED
      zt.store(j, i, b.zeros<f32>(tile<8, 8>));
#else
      zt.store(i, j, b.zeros<f32>(tile<8, 8>));
#endif
    }
  }
});
