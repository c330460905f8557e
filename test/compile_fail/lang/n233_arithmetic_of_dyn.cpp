// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dyn_takes_no_part_in_arithmetic
// expect-error: n233_arithmetic_of_dyn\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Out<f32, BM> z, In<f32, 2 * dyn> x) { z.store(x.load(tile<BM>, 0)); });
#else
inline constexpr auto k = kernel<"k">([](Out<f32, BM> z, In<f32, dyn> x) { z.store(x.load(tile<BM>, 0)); });
#endif
