// SPDX-License-Identifier: Apache-2.0
// expect-error: this function takes f16, bf16, f32 or f64; write cast<f32>\(x\) first
// expect-error: n164_sigmoid_of_fp8\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f8e4m3, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(sigmoid(load_like(x, z))));
#else
  z.store(sigmoid(cast<f32>(load_like(x, z))));
#endif
});
