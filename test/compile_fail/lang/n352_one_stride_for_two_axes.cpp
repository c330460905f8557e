// SPDX-License-Identifier: Apache-2.0
// expect-error: windows have one stride for each axis of the tensor
// expect-error: n352_one_stride_for_two_axes\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BK> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.windows(tile<BM, BK>, stride<1>).load(b.pid(0), b.pid(1)));
#else
  z.store(x.windows(tile<BM, BK>, stride<1, BK>).load(b.pid(0), b.pid(1)));
#endif
});
