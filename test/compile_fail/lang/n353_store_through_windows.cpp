// SPDX-License-Identifier: Apache-2.0
// expect-error: overlapping windows refused
// expect-error: n353_store_through_windows\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.windows(tile<BM>, stride<1>).store(b.pid(0), x.load(tile<BM>, b.pid(0)));
#else
  z.store(x.load(tile<BM>, b.pid(0)));
#endif
});
