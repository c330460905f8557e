// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not round so
// expect-error: n324_full_range_root\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(full_range.sqrt(load_like(x, z)));
#else
  z.store(approximate.sqrt(load_like(x, z)));
#endif
});
