// SPDX-License-Identifier: Apache-2.0
// expect-error: error_occupancy_is_1_to_32_but_is
// expect-error: n109_occupancy_too_large\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(persistent, occupancy = 33); }
#else
auto scheduled() { return k.with(persistent, occupancy = 32); }
#endif
