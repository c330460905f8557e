// SPDX-License-Identifier: Apache-2.0
// expect-error: memory cannot combine such elements

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k =
    kernel<"k">([](Block b, Accum<f32, combiner::bit_or, B> z) { z.combine(b.zeros<f32>(tile<B>)); });
#else
inline constexpr auto k =
    kernel<"k">([](Block b, Accum<u32, combiner::bit_or, B> z) { z.combine(b.zeros<u32>(tile<B>)); });
#endif
