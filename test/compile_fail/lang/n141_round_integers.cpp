// SPDX-License-Identifier: Apache-2.0
// expect-error: this function takes f16, bf16, f32 or f64
// expect-error: n141_round_integers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(round_half_even(load_like(x, z)));
#else
  z.store(load_like(x, z));
#endif
});
