// SPDX-License-Identifier: Apache-2.0
// expect-error: this function takes f16, bf16 or f32
// expect-error: n152_gelu_of_integers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<i8, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(gelu(load_like(x, z))));
#else
  z.store(gelu(cast<f32>(load_like(x, z))));
#endif
});
