// SPDX-License-Identifier: Apache-2.0
// expect-error: one_hot takes integers or Index values
// expect-error: n149_one_hot_of_floats\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"}, N{"N"};

inline constexpr auto k = kernel<"k">([](Out<f32, B, N> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(one_hot<f32, N>(x.load(tile<B>, 0)));
#else
  z.store(one_hot<f32, N>(cast<i32>(x.load(tile<B>, 0))));
#endif
});
