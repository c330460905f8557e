// SPDX-License-Identifier: Apache-2.0
// expect-error: an integer literal is not exact in the tile.s element type
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f8e8m0, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.full<f8e8m0>(tile<B>, 3));
#else
  z.store(b.full<f8e8m0>(tile<B>, 2));
#endif
});
