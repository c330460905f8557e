// SPDX-License-Identifier: Apache-2.0
// expect-error: pad<Axis, Before, After>: the extent of the axis and Before \+ extent \+ After are powers of two

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, 4, 16> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<4, 8>, b.pid(0), b.pid(1), pad(0));
#ifndef TILEWRIGHT_FIXED
  z.store(pad<1, 2, 2>(v, 0));
#else
  z.store(pad<1, 2, 6>(v, 0));
#endif
});
