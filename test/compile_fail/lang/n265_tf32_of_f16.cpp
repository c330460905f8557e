// SPDX-License-Identifier: Apache-2.0
// expect-error: tf32 and f8e8m0 are made of f32 and become f32; write cast<T>\(cast<f32>\(x\)\)
// expect-error: n265_tf32_of_f16\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<tf32, B> z, In<f16, dyn> x) {
  auto v = load_like(x, z);
#ifndef TILEWRIGHT_FIXED
  z.store(cast<tf32>(v));
#else
  z.store(cast<tf32>(cast<f32>(v)));
#endif
});
