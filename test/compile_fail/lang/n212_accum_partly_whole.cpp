// SPDX-License-Identifier: Apache-2.0
// expect-error: or all are dyn
// expect-error: n212_accum_partly_whole\.cpp:(10|11|13|15):

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Block b, Accum<u32, combiner::sum, BM, dyn> z, In<i32, dyn> ids) {
#else
inline constexpr auto k = kernel<"k">([](Block b, Accum<u32, combiner::sum, dyn, dyn> z, In<i32, dyn> ids) {
#endif
  z.combine_at(1, ids.load(tile<BM>, b.pid(2)), 0);
});
