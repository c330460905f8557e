// SPDX-License-Identifier: Apache-2.0
// expect-error: error_break_or_return_out_of_a_traced_loop
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto xt = x.partition(tile<B>);
  auto sum = b.zeros<f32>(tile<B>);
  for (auto i : range(xt.tiles(0))) {
    sum += xt.load(i);
    break;
  }
  z.store(sum);
#else
  auto xt = x.partition(tile<B>);
  auto sum = b.zeros<f32>(tile<B>);
  for (auto i : range(xt.tiles(0))) {
    sum += xt.load(i);
  }
  z.store(sum);
#endif
});
