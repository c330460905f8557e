// SPDX-License-Identifier: Apache-2.0
// expect-error: store: the tile's shape is not the output's
// expect-error: n03_store_shape\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(reduce_sum<1>(load_like(x, z)));
#else
  z.store(broadcast(reduce_sum<1>(load_like(x, z)), tile<BM, BN>));
#endif
});
