// SPDX-License-Identifier: Apache-2.0
// expect-error: the tile has no such axis
// expect-error: n82_reduce_axis\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + reduce_sum<1>(load_like(x, z)));
#else
  z.store(load_like(x, z) + reduce_sum<0>(load_like(x, z)));
#endif
});
