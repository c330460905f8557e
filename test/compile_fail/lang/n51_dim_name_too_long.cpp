// SPDX-License-Identifier: Apache-2.0
// expect-error: a Dim's name has 1 to 15 characters
// expect-error: n51_dim_name_too_long\.cpp:10:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

#ifndef TILEWRIGHT_FIXED
inline constexpr Dim rows{"rows_of_the_tile"};
#else
inline constexpr Dim rows{"rows_of_a_tile"};
#endif
inline constexpr auto k = kernel<"k">([](Out<f32, rows> z, In<f32, dyn> x) { z.store(load_like(x, z)); });
