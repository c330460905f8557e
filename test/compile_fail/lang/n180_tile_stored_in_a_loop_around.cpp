// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_of_a_piece_is_stored_inside_another_loop
// expect-error: line<15>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z) {
  auto zt = z.partition(tile<BM, 8>);
  auto v = b.zeros<f32>(tile<BM, 8>);
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(zt.tiles(1))) {
    for ([[maybe_unused]] auto j : range(z.extent(0))) zt.store(0, i, v);
  }
#else
  for (auto i : range(zt.tiles(1))) {
    for ([[maybe_unused]] auto j : range(z.extent(0))) v += 1;
    zt.store(0, i, v);
  }
#endif
});
