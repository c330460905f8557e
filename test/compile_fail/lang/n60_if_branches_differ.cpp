// SPDX-License-Identifier: Apache-2.0
// expect-error: both branches of if_ must give the same type
// expect-error: n60_if_branches_differ\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  auto w = if_(
      n > 0, [&] { return v + 1; }, [&] { return cast<f16>(v); });
  z.store(v);
#else
  auto v = load_like(x, z);
  auto w = if_(
      n > 0, [&] { return v + 1; }, [&] { return v * 2; });
  z.store(w);
#endif
});
