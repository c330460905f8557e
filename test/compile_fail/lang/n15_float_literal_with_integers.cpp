// SPDX-License-Identifier: Apache-2.0
// expect-error: a floating-point literal cannot be used with an integer tile
// expect-error: n15_float_literal_with_integers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) * 0.5f);
#else
  z.store(load_like(x, z) / 2);
#endif
});
