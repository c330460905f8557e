// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not take this element type; write cast<T>\(x\) first, of fp8 cast<f32>\(x\)
// expect-error: n163_compare_fp8\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<bool, B> z, In<f8e4m3, dyn> x, In<f8e4m3, dyn> y) {
  auto a = load_like(x, z), b = load_like(y, z);
#ifndef TILEWRIGHT_FIXED
  z.store(a == b);
#else
  z.store(cast<f32>(a) == cast<f32>(b));
#endif
});
