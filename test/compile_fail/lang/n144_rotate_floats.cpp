// SPDX-License-Identifier: Apache-2.0
// expect-error: rotate_left and rotate_right take integers
// expect-error: n144_rotate_floats\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(rotate_left(load_like(x, z), 3));
#else
  z.store(bitcast<f32>(rotate_left(bitcast<u32>(load_like(x, z)), 3)));
#endif
});
