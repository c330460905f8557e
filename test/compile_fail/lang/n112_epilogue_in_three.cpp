// SPDX-License-Identifier: Apache-2.0
// expect-error: error_split_epilogue_is_a_power_of_two_but_is
// expect-error: n112_epilogue_in_three\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(split_epilogue(3), fast_math); }
#else
auto scheduled() { return k.with(split_epilogue(4), fast_math); }
#endif
