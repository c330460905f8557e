// SPDX-License-Identifier: Apache-2.0
// expect-error: the count of a rotation is an integer literal, or a tile of the same element type
// expect-error: n146_rotate_by_a_float\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<u32, B> z, In<u32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(rotate_right(load_like(x, z), 3.0f));
#else
  z.store(rotate_right(load_like(x, z), 3));
#endif
});
