// SPDX-License-Identifier: Apache-2.0
// expect-error: error_this_kernel_has_no_such_dim
// expect-error: n48_with_unknown_dim\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z)); });
#ifndef TILEWRIGHT_FIXED
auto bound() { return k.with(BK = 64); }
#else
auto bound() { return k.with(B = 64); }
#endif
