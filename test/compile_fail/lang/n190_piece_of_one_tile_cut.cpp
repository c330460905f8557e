// SPDX-License-Identifier: Apache-2.0
// expect-error: this piece is one tile: write z.store\(x\)

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z) {
#ifndef TILEWRIGHT_FIXED
  z.partition(tile<BM>).store(0, b.zeros<f32>(tile<BM>));
#else
  z.store(b.zeros<f32>(tile<BM>));
#endif
});
