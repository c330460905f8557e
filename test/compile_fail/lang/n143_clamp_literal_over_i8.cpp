// SPDX-License-Identifier: Apache-2.0
// expect-error: a literal does not fit the tile.s element type
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i8, B> z, In<i8, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(clamp(load_like(x, z), 0, 300));
#else
  z.store(clamp(load_like(x, z), 0, 100));
#endif
});
