// SPDX-License-Identifier: Apache-2.0
// expect-error: roll<Axis, Shift>: the tile has no such axis

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Out<f32, 4, 8> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(roll<2, 1>(load_like(x, z)));
#else
  z.store(roll<1, 1>(load_like(x, z)));
#endif
});
