// SPDX-License-Identifier: Apache-2.0
// expect-error: store takes a tile
// expect-error: n71_store_a_literal\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(0.0f);
#else
  z.store(b.zeros<f32>(tile<B>));
#endif
});
