// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_of_a_piece_is_stored_inside_another_loop

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z, Scalar<i32> n) {
  auto zt = z.partition(tile<BM, 8>);
  auto v = b.zeros<f32>(tile<BM, 8>);
  auto all = [&](auto) {
    for (auto i : range(zt.tiles(1))) zt.store(0, i, v);
  };
#ifndef TILEWRIGHT_FIXED
  for (auto j : range(to_index(n))) all(j);
#else
  for ([[maybe_unused]] auto j : range(to_index(n))) v += 1;
  all(n);
#endif
});
