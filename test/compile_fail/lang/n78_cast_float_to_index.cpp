// SPDX-License-Identifier: Apache-2.0
// expect-error: only integers become an Index
// expect-error: n78_cast_float_to_index\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x, Scalar<f32> n) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, cast<index_element>(n)));
#else
  z.store(x.load(tile<B>, to_index(cast<i32>(n))));
#endif
});
