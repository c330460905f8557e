// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dim_expression_has_over_31_characters_or_8_terms
// expect-error: n232_long_dim_expression\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim ROWS{"ROWS"}, COLUMNS{"COLUMNS"}, CHANNELS{"CHANNELS"}, ALL{"ALL"};

#ifndef TILEWRIGHT_FIXED
inline constexpr Dim all = ROWS * COLUMNS * CHANNELS + ROWS * COLUMNS;
#else
inline constexpr Dim all = ALL;
#endif
inline constexpr auto k = kernel<"k">([](Block b, Out<f32, all> z) { z.store(b.full<f32>(tile<all>, 0)); });
