// SPDX-License-Identifier: Apache-2.0
// expect-error: permute<...> names each axis of the tile once
// expect-error: n86_permute_axis_twice\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(permute<0, 0>(x.load(tile<BN, BM>, 0, 0)));
#else
  z.store(permute<1, 0>(x.load(tile<BN, BM>, 0, 0)));
#endif
});
