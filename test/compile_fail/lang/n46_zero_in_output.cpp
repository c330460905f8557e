// SPDX-License-Identifier: Apache-2.0
// expect-error: an extent of Out is a positive number or a Dim
// expect-error: n46_zero_in_output\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Out<f32, 0> z, In<f32, dyn> x) { z.store(x.load(tile<B>, 0)); });
#else
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(x.load(tile<B>, 0)); });
#endif
