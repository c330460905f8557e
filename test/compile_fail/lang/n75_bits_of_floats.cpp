// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not take this element type
// expect-error: n75_bits_of_floats\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) & load_like(x, z));
#else
  z.store(bitcast<f32>(bitcast<u32>(load_like(x, z)) & 0x7fffffff));
#endif
});
