// SPDX-License-Identifier: Apache-2.0
// expect-error: error_latency_is_1_to_10_but_is
// expect-error: n105_latency_too_large\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(latency = 11); }
#else
auto scheduled() { return k.with(latency = 10); }
#endif
