// SPDX-License-Identifier: Apache-2.0
// expect-error: wrong number of tile indices

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
  auto zt = z.partition(tile<BM, 8>);
  auto v = b.zeros<f32>(tile<BM, 8>);
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(zt.tiles(1))) zt.store(i, v);
#else
  for (auto i : range(zt.tiles(1))) zt.store(0, i, v);
#endif
});
