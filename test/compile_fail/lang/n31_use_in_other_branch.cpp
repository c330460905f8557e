// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_is_used_outside_the_loop_or_branch_that_made_it
// expect-error: line<16>

#include <optional>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  std::optional<Tile<f32, B>> made;
  auto v = if_(
      n > 0, [&] { return made.emplace(load_like(x, z)) + 1; }, [&] { return *made * 2; });
  z.store(v);
#else
  auto made = load_like(x, z);
  auto v = if_(
      n > 0, [&] { return made + 1; }, [&] { return made * 2; });
  z.store(v);
#endif
});
