// SPDX-License-Identifier: Apache-2.0
// expect-error: an if_ that gives a value needs an else branch
// expect-error: n59_if_value_without_else\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  if_(n > 0, [&] { return v + 1; });
  z.store(v);
#else
  auto v = load_like(x, z);
  z.store(if_(
      n > 0, [&] { return v + 1; }, [&] { return v + 0; }));
#endif
});
