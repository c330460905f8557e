// SPDX-License-Identifier: Apache-2.0
// expect-error: an Accum is not read by the kernel that combines into it

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Accum<f32, combiner::sum, B> z) { z.combine(z.load() + 1.0f); });
#else
inline constexpr auto k = kernel<"k">([](InOut<f32, B> z) { z.store(z.load() + 1.0f); });
#endif
