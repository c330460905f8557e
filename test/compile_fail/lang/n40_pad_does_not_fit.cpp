// SPDX-License-Identifier: Apache-2.0
// expect-error: a floating-point literal cannot be used with an integer tile
// expect-error: n40_pad_does_not_fit\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, 0, pad(0.5)));
#else
  z.store(x.load(tile<B>, 0, pad(1)));
#endif
});
