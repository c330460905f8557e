// SPDX-License-Identifier: Apache-2.0
// expect-error: an extent of Accum is a positive number or a Dim

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Accum<i32, combiner::sum, B, dyn>) {});
#else
inline constexpr auto k = kernel<"k">([](Accum<i32, combiner::sum, B>) {});
#endif
