// SPDX-License-Identifier: Apache-2.0
// expect-error: philox4x32 takes six tiles of u32
// expect-error: n155_philox_of_i32\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<u32, B> z, Scalar<u32> seed, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  z.store(philox4x32(v, v, v, v, seed, seed).x);
#else
  auto v = bitcast<u32>(load_like(x, z));
  z.store(philox4x32(v, v, v, v, seed, seed).x);
#endif
});
