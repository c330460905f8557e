// SPDX-License-Identifier: Apache-2.0
// expect-error: a stride of windows is a positive number or a Dim
// expect-error: n350_windows_of_stride_0\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.windows(tile<BM>, stride<0>).load(b.pid(0)));
#else
  z.store(x.windows(tile<BM>, stride<1>).load(b.pid(0)));
#endif
});
