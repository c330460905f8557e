// SPDX-License-Identifier: Apache-2.0
// expect-error: write z.combine_at\(x, i, j\)
// expect-error: n208_combine_into_whole\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<u32, combiner::sum, dyn> z, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.combine(cast<u32>(ids.load(tile<BM>, b.pid(1))));
#else
  z.combine_at(cast<u32>(ids.load(tile<BM>, b.pid(1))), ids.load(tile<BM>, b.pid(1)));
#endif
});
