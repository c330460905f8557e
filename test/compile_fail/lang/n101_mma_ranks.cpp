// SPDX-License-Identifier: Apache-2.0
// expect-error: mma\(a, b, c\) takes tiles of rank 2
// expect-error: n101_mma_ranks\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(mma(load_like(x, z), load_like(x, z), b.zeros<f32>(tile<BM>)));
#else
  z.store(fma(load_like(x, z), load_like(x, z), b.zeros<f32>(tile<BM>)));
#endif
});
