// SPDX-License-Identifier: Apache-2.0
// expect-error: a kernel returns nothing
// expect-error: n95_returns_a_value\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](In<f32, dyn> x) { return x.load(tile<B>, 0); });
#else
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(x.load(tile<B>, 0)); });
#endif
