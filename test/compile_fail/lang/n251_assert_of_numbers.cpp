// SPDX-License-Identifier: Apache-2.0
// expect-error: assert_ takes a tile of bool
// expect-error: n251_assert_of_numbers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  assert_(load_like(x, z));
#else
  assert_(load_like(x, z) != 0);
#endif
  z.store(load_like(x, z));
});
