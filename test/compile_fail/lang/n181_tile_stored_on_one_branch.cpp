// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_stored_on_one_branch_only

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
  auto zt = z.partition(tile<BM, 8>);
  auto v = b.zeros<f32>(tile<BM, 8>);
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(zt.tiles(1))) {
    if_(i > 0, [&] { zt.store(0, i, v); });
  }
#else
  for (auto i : range(zt.tiles(1))) {
    if_(
        i > 0, [&] { zt.store(0, i, v); }, [&] { zt.store(0, i, v + 1); });
  }
#endif
});
