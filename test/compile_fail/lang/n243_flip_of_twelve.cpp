// SPDX-License-Identifier: Apache-2.0
// expect-error: flip<Axis>: the extent of the axis is a number that is a power of two

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Out<f32, 4, 12> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(flip<1>(load_like(x, z)));
#else
  z.store(flip<0>(load_like(x, z)));
#endif
});
