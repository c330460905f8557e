// SPDX-License-Identifier: Apache-2.0
// expect-error: memory cannot combine such elements: integers of 32 or 64 bits by any combiner

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k =
    kernel<"k">([](Block b, Accum<f16, combiner::sum, B> z) { z.combine(b.zeros<f16>(tile<B>)); });
#else
inline constexpr auto k =
    kernel<"k">([](Block b, Accum<f32, combiner::sum, B> z) { z.combine(b.zeros<f32>(tile<B>)); });
#endif
