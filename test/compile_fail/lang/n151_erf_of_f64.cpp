// SPDX-License-Identifier: Apache-2.0
// expect-error: this function takes f16, bf16 or f32
// expect-error: n151_erf_of_f64\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f64, B> z, In<f64, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(erf(load_like(x, z)));
#else
  z.store(cast<f64>(erf(cast<f32>(load_like(x, z)))));
#endif
});
