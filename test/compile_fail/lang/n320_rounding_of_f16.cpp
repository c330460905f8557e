// SPDX-License-Identifier: Apache-2.0
// expect-error: toward_zero, downward and upward round f32 and f64
// expect-error: n320_rounding_of_f16\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f16, B> z, In<f16, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(downward.add(load_like(x, z), load_like(x, z)));
#else
  z.store(cast<f16>(downward.add(cast<f32>(load_like(x, z)), 1.0f)));
#endif
});
