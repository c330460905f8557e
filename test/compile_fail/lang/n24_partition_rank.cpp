// SPDX-License-Identifier: Apache-2.0
// expect-error: one tile extent for each of its axes
// expect-error: n24_partition_rank\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto rows = x.partition(tile<BM>);
  z.store(load_like(x, z) + rows.tiles(0));
#else
  auto rows = x.partition(tile<BM, BN>);
  z.store(rows.load(0, 0));
#endif
});
