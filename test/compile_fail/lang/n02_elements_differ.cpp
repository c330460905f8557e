// SPDX-License-Identifier: Apache-2.0
// expect-error: operands have different element types
// expect-error: n02_elements_differ\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, In<f16, dyn> y) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) * load_like(y, z));
#else
  z.store(load_like(x, z) * cast<f32>(load_like(y, z)));
#endif
});
