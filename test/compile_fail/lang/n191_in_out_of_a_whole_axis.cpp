// SPDX-License-Identifier: Apache-2.0
// expect-error: an InOut has no whole axes

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};
#ifndef TILEWRIGHT_FIXED
using output = InOut<f32, BM, dyn>;
#else
using output = Out<f32, BM, dyn>;
#endif

inline constexpr auto k = kernel<"k">([](Block b, output z) {
  auto zt = z.partition(tile<BM, 8>);
  for (auto i : range(zt.tiles(1))) zt.store(0, i, b.zeros<f32>(tile<BM, 8>));
});
