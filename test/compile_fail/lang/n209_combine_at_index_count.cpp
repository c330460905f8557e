// SPDX-License-Identifier: Apache-2.0
// expect-error: wrong number of element indices
// expect-error: n209_combine_at_index_count\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<u32, combiner::sum, dyn> z, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.combine_at(1, ids.load(tile<BM>, b.pid(1)), 0);
#else
  z.combine_at(1, ids.load(tile<BM>, b.pid(1)));
#endif
});
