// SPDX-License-Identifier: Apache-2.0
// expect-error: select between two literals has no element type
// expect-error: n81_select_literals\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(select(load_like(x, z) > 0, 1.0f, 0.0f));
#else
  z.store(cast<f32>(load_like(x, z) > 0));
#endif
});
