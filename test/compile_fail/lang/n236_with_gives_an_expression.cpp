// SPDX-License-Identifier: Apache-2.0
// expect-error: error_expression_of_dims_is_given_a_value
// expect-error: n236_with_gives_an_expression\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, ROWS = 2 * BM;

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, ROWS> z) { z.store(b.full<f32>(tile<ROWS>, 0)); });
#ifndef TILEWRIGHT_FIXED
inline constexpr auto of_64 = k.with(ROWS = 64);
#else
inline constexpr auto of_64 = k.with(BM = 32);
#endif
