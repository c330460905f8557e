// SPDX-License-Identifier: Apache-2.0
// expect-error: an extent of a tile is a positive number or a Dim
// expect-error: n45_extent_negative\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + b.zeros<f32>(tile<-4>));
#else
  z.store(load_like(x, z) + b.zeros<f32>(tile<1>));
#endif
});
