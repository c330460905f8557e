// SPDX-License-Identifier: Apache-2.0
// expect-error: a kernel needs an Out, InOut, Accum or Scatter parameter
// expect-error: n96_no_output\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](In<f32, dyn> x) { auto v = x.load(tile<B>, 0); });
#else
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(x.load(tile<B>, 0)); });
#endif
