// SPDX-License-Identifier: Apache-2.0
// expect-error: a combiner assigns a tile made before it
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto last = b.zeros<f32>(tile<>);
  auto [sum] = reduce<1>(values(v), identity(0), [&](auto left, auto right) {
    last = right.first;
    return values(left.first + last);
  });
#else
  auto [sum] = reduce<1>(values(v), identity(0), [&](auto left, auto right) {
    auto last = right.first;
    last = last + 0;
    return values(left.first + last);
  });
#endif
  z.store(sum);
});
