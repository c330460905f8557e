// SPDX-License-Identifier: Apache-2.0
// expect-error: a kernel lambda captures nothing
// expect-error: n21_capture\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

#ifndef TILEWRIGHT_FIXED
void use(int n) {
  auto k = kernel<"k">([=](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z) + n); });
}
#else
void use() {
  constexpr int n = 3;
  auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) { z.store(load_like(x, z) + n); });
  (void)k;
}
#endif
