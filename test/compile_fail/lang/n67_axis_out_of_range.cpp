// SPDX-License-Identifier: Apache-2.0
// expect-error: error_axis_is_out_of_range
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + cast<f32>(x.extent(1)));
#else
  z.store(load_like(x, z) + cast<f32>(x.extent(0)));
#endif
});
