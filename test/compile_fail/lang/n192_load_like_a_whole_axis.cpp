// SPDX-License-Identifier: Apache-2.0
// expect-error: load_like\(x, z\): z has whole axes

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z, In<f32, dyn, dyn> x) {
  auto zt = z.partition(tile<BM, 8>);
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(zt.tiles(1))) zt.store(0, i, load_like(x, z));
#else
  for (auto i : range(zt.tiles(1))) zt.store(0, i, x.load(tile<BM, 8>, b.pid(0), i));
#endif
});
