// SPDX-License-Identifier: Apache-2.0
// expect-error: a combiner divides integers by something else than a literal
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, B, 1> z, In<i32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto [sum] =
      reduce<1>(values(v), identity(1), [](auto left, auto right) { return values(left.first % right.first); });
#else
  auto [sum] =
      reduce<1>(values(v), identity(1), [](auto left, auto right) { return values(left.first * right.first % 97); });
#endif
  z.store(sum);
});
