// SPDX-License-Identifier: Apache-2.0
// expect-error: a combiner takes two groups
// expect-error: n226_combiner_of_one_group\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto [sum] = reduce<1>(values(v), identity(0), [](auto left) { return left; });
#else
  auto [sum] = reduce<1>(values(v), identity(0), [](auto left, auto) { return left; });
#endif
  z.store(sum);
});
