// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_is_used_outside_the_loop_or_branch_that_made_it
// What a loop makes is gone after it: the loop may run zero times. A tile from outside can carry it out.
#include <optional>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto last = kernel<"last">([](Out<f32, B> z, In<f32, dyn> x) {
  auto tiles = x.partition(tile<B>);
#ifdef TILEWRIGHT_FIXED
  auto seen = load_like(x, z);
  for (auto i : range(tiles.tiles(0))) seen = tiles.load(i);
  z.store(seen);
#else
  std::optional<Tile<f32, B>> seen;
  for (auto i : range(tiles.tiles(0))) seen.emplace(tiles.load(i));
  z.store(*seen);
#endif
});
