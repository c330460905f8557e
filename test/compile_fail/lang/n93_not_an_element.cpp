// SPDX-License-Identifier: Apache-2.0
// expect-error: the element of a tile is
// expect-error: n93_not_an_element\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z) {
#ifndef TILEWRIGHT_FIXED
  auto t = b.zeros<char>(tile<B>);
  z.store(cast<f32>(t));
#else
  auto t = b.zeros<i8>(tile<B>);
  z.store(cast<f32>(t));
#endif
});
