// SPDX-License-Identifier: Apache-2.0
// expect-error: error_workers_is_4_or_8_but_is
// expect-error: n110_sixteen_workers\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(workers = 16); }
#else
auto scheduled() { return k.with(workers = 8); }
#endif
