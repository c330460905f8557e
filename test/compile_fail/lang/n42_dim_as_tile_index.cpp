// SPDX-License-Identifier: Apache-2.0
// expect-error: a tile index is an integer or an Index
// expect-error: n42_dim_as_tile_index\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, B));
#else
  z.store(x.load(tile<B>, b.size(tile<B>)));
#endif
});
