// SPDX-License-Identifier: Apache-2.0
// expect-error: overlapping windows refused
// expect-error: n356_combine_through_windows\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<f32, combiner::sum, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.windows(tile<BM>, stride<1>).combine(x.load(tile<BM>, b.pid(0)));
#else
  z.combine(x.load(tile<BM>, b.pid(0)));
#endif
});
