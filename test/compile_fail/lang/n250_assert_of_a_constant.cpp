// SPDX-License-Identifier: Apache-2.0
// expect-error: assert_ asks for a traced condition; of constants write a static_assert
// expect-error: n250_assert_of_a_constant\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};
constexpr int width = 8;

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  assert_(width == 8);
#else
  static_assert(width == 8);
#endif
  z.store(load_like(x, z));
});
