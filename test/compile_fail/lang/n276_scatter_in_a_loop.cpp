// SPDX-License-Identifier: Apache-2.0
// expect-error: an output is stored inside a traced loop

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Scatter<f32, BM, BN> z, Unique<i32> rows, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(ids.extent(0))) z.store(rows, b.full<f32>(tile<BM, BN>, 0) + cast<f32>(i));
#else
  z.store(rows, b.full<f32>(tile<BM, BN>, 1));
#endif
});
