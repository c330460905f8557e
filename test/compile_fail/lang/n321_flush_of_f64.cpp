// SPDX-License-Identifier: Apache-2.0
// expect-error: approximate, full_range and flush_denormals compute in f32 alone
// expect-error: n321_flush_of_f64\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f64, B> z, In<f64, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(flush_denormals.add(load_like(x, z), 1.0));
#else
  z.store(cast<f64>(flush_denormals.add(cast<f32>(load_like(x, z)), 1.0f)));
#endif
});
