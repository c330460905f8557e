// SPDX-License-Identifier: Apache-2.0
// expect-error: deleted
// expect-error: n22_copy_output\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto same = z;
  same.store(load_like(x, z));
#else
  auto& same = z;
  same.store(load_like(x, z));
#endif
});
