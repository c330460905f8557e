// SPDX-License-Identifier: Apache-2.0
// expect-error: no member named .combine
// expect-error: n122_combine_into_output\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.combine(load_like(x, z));
#else
  z.store(load_like(x, z));
#endif
});
