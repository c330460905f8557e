// SPDX-License-Identifier: Apache-2.0
// expect-error: a combiner is made of element-wise operations
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
  auto [sum] = reduce<1>(values(v), identity(0), [&](auto left, auto right) {
#ifndef TILEWRIGHT_FIXED
    b.print("{}", left.first);
#endif
    return values(left.first + right.first);
  });
  z.store(sum);
});
