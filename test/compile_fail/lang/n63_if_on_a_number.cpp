// SPDX-License-Identifier: Apache-2.0
// expect-error: if_ needs a bool condition
// expect-error: n63_if_on_a_number\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  if_(n, [&] { v += 1; });
  z.store(v);
#else
  auto v = load_like(x, z);
  if_(n != 0, [&] { v += 1; });
  z.store(v);
#endif
});
