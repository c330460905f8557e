// SPDX-License-Identifier: Apache-2.0
// expect-error: the count of a rotation is an integer literal, or a tile of the same element type
// expect-error: n145_rotate_by_another_element\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<u32, B> z, In<u32, dyn> x, In<i32, dyn> n) {
#ifndef TILEWRIGHT_FIXED
  z.store(rotate_right(load_like(x, z), load_like(n, z)));
#else
  z.store(rotate_right(load_like(x, z), bitcast<u32>(load_like(n, z))));
#endif
});
