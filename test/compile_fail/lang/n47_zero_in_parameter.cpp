// SPDX-License-Identifier: Apache-2.0
// expect-error: an extent of In is dyn, a positive number or a Dim
// expect-error: n47_zero_in_parameter\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, 0> x) { z.store(load_like(x, z)); });
#else
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, 16> x) { z.store(load_like(x, z)); });
#endif
