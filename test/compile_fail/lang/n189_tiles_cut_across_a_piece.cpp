// SPDX-License-Identifier: Apache-2.0
// expect-error: on an axis that is not dyn, the piece is one tile

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};
#ifndef TILEWRIGHT_FIXED
inline constexpr auto tiles = tile<4, 8>;
#else
inline constexpr auto tiles = tile<BM, 8>;
#endif

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
  auto zt = z.partition(tiles);
  for (auto i : range(zt.tiles(1))) zt.store(0, i, b.zeros<f32>(tiles));
});
