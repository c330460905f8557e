// SPDX-License-Identifier: Apache-2.0
// expect-error: a Scatter is write-only; read the tensor as an In
// expect-error: n274_scatter_loaded\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Scatter<f32, BM, BN> z, Unique<i32> rows, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.store(rows, z.load());
#else
  z.store(rows, b.full<f32>(tile<BM, BN>, 1));
#endif
});
