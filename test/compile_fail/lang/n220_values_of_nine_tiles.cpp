// SPDX-License-Identifier: Apache-2.0
// expect-error: values\(\.\.\.\) takes one to eight tiles
// expect-error: n220_values_of_nine_tiles\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto all = values(v, v, v, v, v, v, v, v, v);
  auto [sum] =
      reduce<1>(values(v), identity(0), [](auto left, auto right) { return values(left.first + right.first); });
#else
  auto all = values(v, v, v, v, v, v, v, v);
  auto [sum] = reduce<1>(values(all.eighth), identity(0),
                         [](auto left, auto right) { return values(left.first + right.first); });
#endif
  z.store(sum);
});
