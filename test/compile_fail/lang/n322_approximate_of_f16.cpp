// SPDX-License-Identifier: Apache-2.0
// expect-error: approximate, full_range and flush_denormals compute in f32 alone
// expect-error: n322_approximate_of_f16\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f16, B> z, In<f16, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(approximate.tanh(load_like(x, z)));
#else
  z.store(cast<f16>(approximate.tanh(cast<f32>(load_like(x, z)))));
#endif
});
