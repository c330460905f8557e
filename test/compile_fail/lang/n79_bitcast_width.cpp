// SPDX-License-Identifier: Apache-2.0
// expect-error: bitcast needs elements of equal width
// expect-error: n79_bitcast_width\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i16, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(bitcast<i16>(load_like(x, z)));
#else
  z.store(cast<i16>(bitcast<i32>(load_like(x, z))));
#endif
});
