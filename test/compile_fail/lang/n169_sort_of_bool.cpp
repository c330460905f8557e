// SPDX-License-Identifier: Apache-2.0
// expect-error: sort takes integers, f16, bf16, f32 or f64

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim N{"N"};

inline constexpr auto k = kernel<"k">([](Out<f32, 4, 8> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(sort<1>(load_like(x, z) > 0)));
#else
  z.store(cast<f32>(sort<1>(cast<u8>(load_like(x, z) > 0))));
#endif
});
