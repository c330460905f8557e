// SPDX-License-Identifier: Apache-2.0
// expect-error: only true and false fit a bool tile
// expect-error: n38_bool_literal_with_numbers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + true);
#else
  z.store(load_like(x, z) + 1);
#endif
});
