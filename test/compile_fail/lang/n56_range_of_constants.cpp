// SPDX-License-Identifier: Apache-2.0
// expect-error: range of constants needs a block
// expect-error: n56_range_of_constants\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  for (auto i : range(8)) v += x.load(tile<B>, i);
  z.store(v);
#else
  auto v = load_like(x, z);
  for (auto i : b.range(8)) v += x.load(tile<B>, i);
  z.store(v);
#endif
});
