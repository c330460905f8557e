// SPDX-License-Identifier: Apache-2.0
// expect-error: error_num_ctas_is_1_2_4_8_or_16_but_is
// expect-error: n107_three_ctas\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k =
    kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<f32> s) { z.store(load_like(x, z) + s); });
#ifndef TILEWRIGHT_FIXED
auto scheduled() { return k.with(num_ctas = 3); }
#else
auto scheduled() { return k.with(num_ctas = 4); }
#endif
