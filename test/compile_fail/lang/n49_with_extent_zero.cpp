// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dim_is_given_an_extent_under_1
// expect-error: n49_with_extent_zero\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z)); });
#ifndef TILEWRIGHT_FIXED
auto bound() { return k.defaults(B = 0); }
#else
auto bound() { return k.defaults(B = 1); }
#endif
