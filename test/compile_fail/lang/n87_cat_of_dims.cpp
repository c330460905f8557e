// SPDX-License-Identifier: Apache-2.0
// expect-error: store: the tile's shape is not the output's
// expect-error: n87_cat_of_dims\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
  auto half = x.load(tile<BM, BK>, 0, 0);
#ifndef TILEWRIGHT_FIXED
  z.store(cat<1>(half, half));
#else
  z.store(cat<1>(half, half, tile<BM, BN>));
#endif
});
