// SPDX-License-Identifier: Apache-2.0
// expect-error: a literal does not fit the tile.s element type
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i8, B, 1> z, In<i8, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
  auto add = [](auto left, auto right) { return values(left.first + right.first); };
#ifndef TILEWRIGHT_FIXED
  auto [sum] = reduce<1>(values(v), identity(300), add);
#else
  auto [sum] = reduce<1>(values(v), identity(0), add);
#endif
  z.store(sum);
});
