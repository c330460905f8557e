// SPDX-License-Identifier: Apache-2.0
// expect-error: all extents of its Accum are dyn
// expect-error: n207_combine_at_piece\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<u32, combiner::sum, BM> z, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.combine_at(1, ids.load(tile<BM>, b.pid(1)));
#else
  z.combine(cast<u32>(ids.load(tile<BM>, b.pid(1))));
#endif
});
