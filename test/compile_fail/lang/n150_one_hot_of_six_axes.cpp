// SPDX-License-Identifier: Apache-2.0
// expect-error: one_hot adds an axis, and a tile has at most 6
// expect-error: n150_one_hot_of_six_axes\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, N{"N"};

inline constexpr auto k = kernel<"k">([](Out<f32, 1, 1, 1, 1, B, N> z, In<i32, dyn, dyn, dyn, dyn, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(one_hot<f32, N>(load_like(x, z)));
#else
  z.store(cast<f32>(load_like(x, z)));
#endif
});
