// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dim_is_not_used_by_this_kernel

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z)); });
#ifndef TILEWRIGHT_FIXED
auto bound() { return k.with(BK = 64); }
#else
auto bound() { return k.with(B = 64); }
#endif
