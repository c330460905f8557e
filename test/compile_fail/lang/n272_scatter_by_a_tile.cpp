// SPDX-License-Identifier: Apache-2.0
// expect-error: the rows of a Scatter are placed by a Unique parameter
// expect-error: n272_scatter_by_a_tile\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Scatter<f32, BM, BN> z, Unique<i32> rows, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.store(ids.load(tile<BM>, b.pid(0)), b.full<f32>(tile<BM, BN>, 1));
#else
  z.store(rows, b.full<f32>(tile<BM, BN>, 1));
#endif
});
