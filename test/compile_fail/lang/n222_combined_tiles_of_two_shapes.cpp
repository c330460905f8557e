// SPDX-License-Identifier: Apache-2.0
// expect-error: tiles that are combined have one shape
// expect-error: n222_combined_tiles_of_two_shapes\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto [sum, other] = reduce<1>(values(v, reduce_max<1>(v)), identity(0, 0), [](auto left, auto) { return left; });
#else
  auto [sum, other] = reduce<1>(values(v, broadcast(reduce_max<1>(v), tile<B, 8>)), identity(0, 0),
                                [](auto left, auto) { return left; });
#endif
  z.store(sum);
});
