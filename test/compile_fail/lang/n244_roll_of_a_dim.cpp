// SPDX-License-Identifier: Apache-2.0
// expect-error: roll<Axis, Shift>: the extent of the axis is a number that is a power of two

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim N{"N"};

inline constexpr auto k = kernel<"k">([](Out<f32, 4, N> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(roll<1, 3>(load_like(x, z)));
#else
  z.store(roll<0, 3>(load_like(x, z)));
#endif
});
