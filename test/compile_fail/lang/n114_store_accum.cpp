// SPDX-License-Identifier: Apache-2.0
// expect-error: an Accum is not stored, which would lose what other blocks combined

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<f32, combiner::sum, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.zeros<f32>(tile<B>));
#else
  z.combine(b.zeros<f32>(tile<B>));
#endif
});
