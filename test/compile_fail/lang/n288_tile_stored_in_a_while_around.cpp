// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_of_a_piece_is_stored_inside_another_loop
// expect-error: line<19>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, dyn> z, In<f32, dyn, dyn> x, Scalar<i32> n) {
  auto from = x.partition(tile<BM, BN>);
  auto to = z.partition(tile<BM, BN>);
  auto round = b.zeros<i32>(tile<>);
#ifndef TILEWRIGHT_FIXED
  b.while_([&] { return round < n; },
           [&] {
             round += 1;
             for (auto j : range(to.tiles(1))) {
               to.store(0, j, from.load(b.pid(0), j));
             }
           });
#else
  b.while_([&] { return round < n; }, [&] { round += 1; });
  for (auto j : range(to.tiles(1))) {
    to.store(0, j, from.load(b.pid(0), j) * cast<f32>(round));
  }
#endif
});
