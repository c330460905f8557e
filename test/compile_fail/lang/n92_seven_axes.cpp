// SPDX-License-Identifier: Apache-2.0
// expect-error: a tile has at most 6 axes
// expect-error: n92_seven_axes\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z) {
#ifndef TILEWRIGHT_FIXED
  auto t = b.zeros<f32>(tile<1, 1, 1, 1, 1, 1, B>);
  z.store(reshape(t, tile<B>));
#else
  auto t = b.zeros<f32>(tile<1, 1, 1, 1, 1, B>);
  z.store(reshape(t, tile<B>));
#endif
});
