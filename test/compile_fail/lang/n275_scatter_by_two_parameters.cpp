// SPDX-License-Identifier: Apache-2.0
// expect-error: the rows of one Scatter are placed by two Unique parameters

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Scatter<f32, BM, BN> z, Unique<i32> rows, Unique<i32> more) {
#ifndef TILEWRIGHT_FIXED
  if_(
      b.pid(0) == 0, [&] { z.store(rows, b.full<f32>(tile<BM, BN>, 1)); },
      [&] { z.store(more, b.full<f32>(tile<BM, BN>, 1)); });
#else
  if_(
      b.pid(0) == 0, [&] { z.store(rows, b.full<f32>(tile<BM, BN>, 1)); },
      [&] { z.store(rows, b.full<f32>(tile<BM, BN>, 1)); });
#endif
});
