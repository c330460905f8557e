// SPDX-License-Identifier: Apache-2.0
// expect-error: a literal does not fit the tile.s element type
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f8e4m3, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.full<f8e4m3>(tile<B>, __builtin_inff()));
#else
  z.store(b.full<f8e4m3>(tile<B>, 448.0f));
#endif
});
