// SPDX-License-Identifier: Apache-2.0
// expect-error: the bounds of a range are integers or Index values
// expect-error: n57_range_of_i32\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  for (auto i : range(n)) v += x.load(tile<B>, i);
  z.store(v);
#else
  auto v = load_like(x, z);
  for (auto i : range(to_index(n))) v += x.load(tile<B>, i);
  z.store(v);
#endif
});
