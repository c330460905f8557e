// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not take this element type; write cast<T>\(x\) first, of fp8 cast<f32>\(x\)
// expect-error: n162_add_fp8\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f8e5m2, B> z, In<f8e5m2, dyn> x) {
  auto v = load_like(x, z);
#ifndef TILEWRIGHT_FIXED
  z.store(v + v);
#else
  auto w = cast<f32>(v);
  z.store(cast<f8e5m2>(w + w));
#endif
});
