// SPDX-License-Identifier: Apache-2.0
// expect-error: write to_index\(i\) for an integer scalar
// expect-error: n66_integer_scalar_as_index\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, n));
#else
  z.store(x.load(tile<B>, to_index(n)));
#endif
});
