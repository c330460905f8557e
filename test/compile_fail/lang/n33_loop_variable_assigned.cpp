// SPDX-License-Identifier: Apache-2.0
// expect-error: error_loop_variable_is_assigned
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  for (auto i : range(x.extent(0))) {
    i += 1;
    v += x.load(tile<B>, i);
  }
  z.store(v);
#else
  auto v = load_like(x, z);
  for (auto i : range(x.extent(0))) {
    v += x.load(tile<B>, i + 1);
  }
  z.store(v);
#endif
});
