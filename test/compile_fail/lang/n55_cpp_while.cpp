// SPDX-License-Identifier: Apache-2.0
// expect-error: use if_\(condition, then, else\)
// expect-error: n55_cpp_while\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  while (n > 0) v += 1;
  z.store(v);
#else
  auto v = load_like(x, z);
  for (auto i : range(to_index(n))) v += 1;
  z.store(v);
#endif
});
