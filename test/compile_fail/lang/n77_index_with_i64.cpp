// SPDX-License-Identifier: Apache-2.0
// expect-error: operands have different element types
// expect-error: n77_index_with_i64\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z, In<f32, dyn> x, Scalar<i64> n) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, b.pid(0) + n));
#else
  z.store(x.load(tile<B>, b.pid(0) + to_index(n)));
#endif
});
