// SPDX-License-Identifier: Apache-2.0
// expect-error: a tile variable is given another shape
// expect-error: n100_initialise_other_shape\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, BM{"BM"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  Tile<f32, BM> v = load_like(x, z);
  z.store(v);
#else
  Tile<f32, B> v = load_like(x, z);
  z.store(v);
#endif
});
