// SPDX-License-Identifier: Apache-2.0
// expect-error: operands have different element types
// expect-error: n142_clamp_to_another_element\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, In<f16, dyn> y) {
#ifndef TILEWRIGHT_FIXED
  z.store(clamp(load_like(x, z), 0, load_like(y, z)));
#else
  z.store(clamp(load_like(x, z), 0, cast<f32>(load_like(y, z))));
#endif
});
