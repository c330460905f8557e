// SPDX-License-Identifier: Apache-2.0
// expect-error: error_this_kernel_has_no_tensor_parameter_at
// expect-error: n102_latency_of_a_place_past_the_end\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(B = 4, latency(3) = 2); }
#else
auto scheduled() { return k.with(B = 4, latency(1) = 2); }
#endif
