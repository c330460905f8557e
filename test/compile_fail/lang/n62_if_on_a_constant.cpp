// SPDX-License-Identifier: Apache-2.0
// expect-error: if_ needs a traced condition
// expect-error: n62_if_on_a_constant\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  if_(true, [&] { v += 1; });
  z.store(v);
#else
  auto v = load_like(x, z);
  if (true) v += 1;
  z.store(v);
#endif
});
