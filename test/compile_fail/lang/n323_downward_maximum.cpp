// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not round so
// expect-error: n323_downward_maximum\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(downward.max(load_like(x, z), 1.0f));
#else
  z.store(max(load_like(x, z), 1.0f));
#endif
});
