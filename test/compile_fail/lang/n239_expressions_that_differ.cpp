// SPDX-License-Identifier: Apache-2.0
// expect-error: store: the tile's shape is not the output's
// expect-error: n239_expressions_that_differ\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM + BN> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.full<f32>(tile<2 * BM>, 0));
#else
  z.store(same_shape(b.full<f32>(tile<2 * BM>, 0), tile<BN + BM>));
#endif
});
