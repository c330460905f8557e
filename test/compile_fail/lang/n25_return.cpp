// SPDX-License-Identifier: Apache-2.0
// expect-error: error_break_or_return_out_of_a_traced_loop
// expect-error: line<13>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z));
  for (auto i : range(x.extent(0))) {
    return;
  }
#else
  z.store(load_like(x, z));
  for (auto i : range(x.extent(0))) {
  }
#endif
});
