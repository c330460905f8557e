// SPDX-License-Identifier: Apache-2.0
// expect-error: an extent of a tile is a positive number or a Dim
// expect-error: n43_dyn_in_tile\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<dyn>, 0));
#else
  z.store(x.load(tile<B>, 0));
#endif
});
