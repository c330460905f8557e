// SPDX-License-Identifier: Apache-2.0
// expect-error: if_ needs a condition of rank 0
// expect-error: n61_if_on_a_tile\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  if_(v > 0, [&] { v += 1; });
  z.store(v);
#else
  auto v = load_like(x, z);
  z.store(select(v > 0, v + 1, v));
#endif
});
