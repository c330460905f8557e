// SPDX-License-Identifier: Apache-2.0
// expect-error: combine: the tile's element type is not the Accum's
// expect-error: n118_combine_element\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<i64, combiner::max, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.combine(b.zeros<i32>(tile<B>));
#else
  z.combine(b.zeros<i64>(tile<B>));
#endif
});
