// SPDX-License-Identifier: Apache-2.0
// expect-error: an Accum has at most 5 axes

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Accum<i32, combiner::sum, 1, 1, 1, 1, 1, B>) {});
#else
inline constexpr auto k = kernel<"k">([](Accum<i32, combiner::sum, 1, 1, 1, 1, B>) {});
#endif
