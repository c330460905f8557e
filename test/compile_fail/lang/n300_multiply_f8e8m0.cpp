// SPDX-License-Identifier: Apache-2.0
// expect-error: operation does not take this element type; write cast<T>\(x\) first, .*of tf32 and f8e8m0 too
// expect-error: n300_multiply_f8e8m0\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f8e8m0, dyn> x) {
  auto v = load_like(x, z);
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(v * v));
#else
  auto w = cast<f32>(v);
  z.store(w * w);
#endif
});
