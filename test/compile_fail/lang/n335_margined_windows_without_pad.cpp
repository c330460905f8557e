// SPDX-License-Identifier: Apache-2.0
// expect-error: windows with a margin reach past their tensor on both sides: end the indices with pad
// expect-error: n335_margined_windows_without_pad\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.windows(tile<BM>, stride<1>, margin<2>).load(b.pid(0)));
#else
  z.store(x.windows(tile<BM>, stride<1>, margin<2>).load(b.pid(0), pad(0)));
#endif
});
