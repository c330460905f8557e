// SPDX-License-Identifier: Apache-2.0
// expect-error: only true and false fit a bool tile
// expect-error: n39_number_with_bool_tile\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(select((load_like(x, z) > 0) == 1, 1.0f, load_like(x, z)));
#else
  z.store(select((load_like(x, z) > 0) == true, 1.0f, load_like(x, z)));
#endif
});
