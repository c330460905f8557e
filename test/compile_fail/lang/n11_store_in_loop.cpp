// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_stored_inside_a_loop
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  for (auto i : range(x.extent(0))) z.store(x.load(tile<B>, i));
#else
  auto v = load_like(x, z);
  for (auto i : range(x.extent(0))) v += x.load(tile<B>, i);
  z.store(v);
#endif
});
