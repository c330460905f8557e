// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_is_used_outside_the_loop_or_branch_that_made_it
// expect-error: line<16>

#include <optional>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Accum<f32, combiner::sum, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  std::optional<Tile<f32, B>> made;
  if_(n > 0, [&] { made.emplace(x.load(tile<B>, b.pid(0))); });
  z.combine(*made);
#else
  if_(n > 0, [&] { z.combine(x.load(tile<B>, b.pid(0))); });
#endif
});
