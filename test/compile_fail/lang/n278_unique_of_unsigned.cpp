// SPDX-License-Identifier: Apache-2.0
// expect-error: a Unique has indices of i32 or i64

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};
#ifndef TILEWRIGHT_FIXED
using index = u32;
#else
using index = i64;
#endif

inline constexpr auto k = kernel<"k">(
    [](Block b, Scatter<f32, BM, BN> z, Unique<index> rows) { z.store(rows, b.full<f32>(tile<BM, BN>, 1)); });
