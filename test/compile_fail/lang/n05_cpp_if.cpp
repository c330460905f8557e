// SPDX-License-Identifier: Apache-2.0
// expect-error: use if_\(condition, then, else\)
// expect-error: n05_cpp_if\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  if (n > 3) v = v + 1;
  z.store(v);
#else
  auto v = load_like(x, z);
  if_(n > 3, [&] { v = v + 1; });
  z.store(v);
#endif
});
