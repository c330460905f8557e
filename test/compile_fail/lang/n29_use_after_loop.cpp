// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_is_used_outside_the_loop_or_branch_that_made_it
// expect-error: line<16>

#include <optional>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  std::optional<Tile<f32, B>> last;
  for (auto i : range(x.extent(0))) last.emplace(x.load(tile<B>, i));
  z.store(*last);
#else
  auto last = load_like(x, z);
  for (auto i : range(x.extent(0))) last = x.load(tile<B>, i);
  z.store(last);
#endif
});
