// SPDX-License-Identifier: Apache-2.0
// expect-error: identity\(\.\.\.\) has one literal for each tile
// expect-error: n223_one_identity_for_two_tiles\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto [sum, other] = reduce<1>(values(v, v), identity(0), [](auto left, auto) { return left; });
#else
  auto [sum, other] = reduce<1>(values(v, v), identity(0, 0), [](auto left, auto) { return left; });
#endif
  z.store(sum);
});
