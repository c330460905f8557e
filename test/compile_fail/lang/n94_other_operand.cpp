// SPDX-License-Identifier: Apache-2.0
// expect-error: the other operand is neither a tile nor a number
// expect-error: n94_other_operand\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + "1");
#else
  z.store(load_like(x, z) + 1);
#endif
});
