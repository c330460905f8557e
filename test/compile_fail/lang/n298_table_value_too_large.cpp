// SPDX-License-Identifier: Apache-2.0
// expect-error: a literal does not fit the tile.s element type
// expect-error: line<11>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Block b, Out<i8, 3> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.table<i8>({1, 127, 128}));
#else
  z.store(b.table<i8>({1, 127, -128}));
#endif
});
