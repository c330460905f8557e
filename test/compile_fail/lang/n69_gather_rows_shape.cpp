// SPDX-License-Identifier: Apache-2.0
// expect-error: rows must have the shape
// expect-error: n69_gather_rows_shape\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.gather_rows(ids.load(tile<BM>, 0), tile<BM, BN>, 0));
#else
  z.store(x.gather_rows(reshape(ids.load(tile<BM>, 0), tile<BM, 1>), tile<BM, BN>, 0));
#endif
});
