// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_stored_twice
// expect-error: line<15>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
  auto zt = z.partition(tile<BM, 8>);
  auto v = b.zeros<f32>(tile<BM, 8>);
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(zt.tiles(1))) zt.store(0, i, v);
  for (auto i : range(zt.tiles(1))) zt.store(0, i, v);
#else
  for ([[maybe_unused]] auto i : range(zt.tiles(1))) v += 1;
  for (auto i : range(zt.tiles(1))) zt.store(0, i, v);
#endif
});
