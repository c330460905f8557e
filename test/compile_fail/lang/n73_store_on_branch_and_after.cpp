// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_stored_twice
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  z.store(v);
  if_(n > 0, [&] { z.store(v + 1); });
#else
  auto v = load_like(x, z);
  if_(
      n > 0, [&] { z.store(v + 1); }, [&] { z.store(v); });
#endif
});
