// SPDX-License-Identifier: Apache-2.0
// expect-error: printf
// expect-error: n20_call_that_is_not_constexpr\.cpp:14:

#include <cstdio>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  std::printf("hello");
  z.store(load_like(x, z));
#else
  z.store(load_like(x, z));
#endif
});
