// SPDX-License-Identifier: Apache-2.0
// expect-error: a Dim is not a value inside a kernel
// expect-error: n41_dim_as_value\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, b.pid(0) * B));
#else
  z.store(x.load(tile<B>, b.pid(0) * b.size(tile<B>)));
#endif
});
