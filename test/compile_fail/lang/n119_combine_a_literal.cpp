// SPDX-License-Identifier: Apache-2.0
// expect-error: combine takes a tile; for a constant write b.full
// expect-error: n119_combine_a_literal\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<i32, combiner::sum, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.combine(1);
#else
  z.combine(b.full<i32>(tile<B>, 1));
#endif
});
