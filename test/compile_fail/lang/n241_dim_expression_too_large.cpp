// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dim_expression_has_a_number_that_is_too_large
// expect-error: n241_dim_expression_too_large\.cpp:9:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
#ifndef TILEWRIGHT_FIXED
inline constexpr Dim all = Dim(1 << 20) * (1 << 20);
#else
inline constexpr Dim all = Dim(1 << 10) * (1 << 10);
#endif
inline constexpr auto k = kernel<"k">([](Block b, Out<f32, all> z) { z.store(b.full<f32>(tile<all>, 0)); });
