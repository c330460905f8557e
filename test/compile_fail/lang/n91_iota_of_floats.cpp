// SPDX-License-Identifier: Apache-2.0
// expect-error: iota needs integers or index_element
// expect-error: n91_iota_of_floats\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.iota<f32>(tile<B>));
#else
  z.store(cast<f32>(b.iota<i32>(tile<B>)));
#endif
});
