// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not take this element type
// expect-error: n74_exp_of_integers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(exp(load_like(x, z)));
#else
  z.store(cast<i32>(exp(cast<f32>(load_like(x, z)))));
#endif
});
