// SPDX-License-Identifier: Apache-2.0
// expect-error: a kernel parameter is an In, Out, InOut, Accum, Scatter, Unique or Scalar
// expect-error: n97_parameter_by_reference\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, const In<f32, dyn>& x) { z.store(load_like(x, z)); });
#else
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z)); });
#endif
