// SPDX-License-Identifier: Apache-2.0
// expect-error: i4 and u4 are made of integers and become integers
// expect-error: n311_i4_to_f32\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, 2 * B> z, In<u8, dyn> x) {
  auto v = unpack<i4>(x.load(tile<B>, b.pid(0)));
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(v));
#else
  z.store(cast<f32>(cast<i32>(v)));
#endif
});
