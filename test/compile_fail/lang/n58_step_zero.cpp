// SPDX-License-Identifier: Apache-2.0
// expect-error: error_loop_step_is_not_positive
// expect-error: line<13>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  for (auto i : range(0, x.extent(0), 0)) v += x.load(tile<B>, i);
  z.store(v);
#else
  auto v = load_like(x, z);
  for (auto i : range(0, x.extent(0), 2)) v += x.load(tile<B>, i);
  z.store(v);
#endif
});
