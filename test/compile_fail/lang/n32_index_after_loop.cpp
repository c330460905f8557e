// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_is_used_outside_the_loop_or_branch_that_made_it
// expect-error: line<16>

#include <optional>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  std::optional<Index> last;
  for (auto i : range(x.extent(0))) last.emplace(i);
  z.store(x.load(tile<B>, *last));
#else
  auto last = x.extent(0) - 1;
  for (auto i : range(x.extent(0))) last = i;
  z.store(x.load(tile<B>, last));
#endif
});
