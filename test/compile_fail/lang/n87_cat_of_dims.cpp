// SPDX-License-Identifier: Apache-2.0
// expect-error: the extents to add are Dims
// expect-error: n87_cat_of_dims\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto half = x.load(tile<BM, BK>, 0, 0);
  z.store(cat<1>(half, half));
#else
  auto half = x.load(tile<BM, BK>, 0, 0);
  z.store(cat<1>(half, half, tile<BM, BN>));
#endif
});
