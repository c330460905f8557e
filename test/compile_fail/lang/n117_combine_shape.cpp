// SPDX-License-Identifier: Apache-2.0
// expect-error: combine: the tile's shape is not the Accum's
// expect-error: n117_combine_shape\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<f32, combiner::sum, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.combine(b.zeros<f32>(tile<B, 1>));
#else
  z.combine(b.zeros<f32>(tile<B>));
#endif
});
