// SPDX-License-Identifier: Apache-2.0
// expect-error: error_loop_does_not_run_over_all_tiles_of_the_axis

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
  auto zt = z.partition(tile<BM, 8>);
  auto v = b.zeros<f32>(tile<BM, 8>);
#ifndef TILEWRIGHT_FIXED
  auto tiles = zt.tiles(1);
  tiles = tiles - 1;
  for (auto i : range(tiles)) zt.store(0, i, v);
#else
  auto tiles = zt.tiles(1);
  for (auto i : range(tiles)) zt.store(0, i, v);
#endif
});
