// SPDX-License-Identifier: Apache-2.0
// expect-error: a tile variable is given another element type
// expect-error: n14_assign_other_element\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f16, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto sum = b.zeros<f32>(tile<B>);
  for (auto i : range(x.extent(0))) sum = x.load(tile<B>, i);
  z.store(sum);
#else
  auto sum = b.zeros<f32>(tile<B>);
  for (auto i : range(x.extent(0))) sum = cast<f32>(x.load(tile<B>, i));
  z.store(sum);
#endif
});
