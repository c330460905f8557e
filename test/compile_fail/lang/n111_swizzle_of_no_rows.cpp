// SPDX-License-Identifier: Apache-2.0
// expect-error: error_swizzle_is_at_least_1_but_is
// expect-error: n111_swizzle_of_no_rows\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(swizzle(0)); }
#else
auto scheduled() { return k.with(swizzle(1)); }
#endif
