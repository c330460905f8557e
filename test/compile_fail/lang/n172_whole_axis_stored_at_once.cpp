// SPDX-License-Identifier: Apache-2.0
// expect-error: a piece with dyn extents is stored tile by tile

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.zeros<f32>(tile<BM, 8>));
#else
  auto zt = z.partition(tile<BM, 8>);
  for (auto i : range(zt.tiles(1))) zt.store(0, i, b.zeros<f32>(tile<BM, 8>));
#endif
});
