// SPDX-License-Identifier: Apache-2.0
// expect-error: for a tensor's extent write x.extent\(axis\)
// expect-error: n52_size_of_dyn\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + cast<f32>(b.size(tile<dyn>)));
#else
  z.store(load_like(x, z) + cast<f32>(b.size(tile<B>)));
#endif
});
