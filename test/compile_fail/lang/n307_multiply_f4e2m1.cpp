// SPDX-License-Identifier: Apache-2.0
// expect-error: of f4e2m1, of tf32 and f8e8m0 too, of i4 and u4 cast<i32>
// expect-error: n307_multiply_f4e2m1\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, 2 * B> z, In<u8, dyn> x) {
  auto v = unpack<f4e2m1>(x.load(tile<B>, b.pid(0)));
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(v * v));
#else
  z.store(cast<f32>(v) * cast<f32>(v));
#endif
});
