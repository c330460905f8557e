// SPDX-License-Identifier: Apache-2.0
// expect-error: the positions of random numbers are i32, u32, i64, u64 or Index values
// expect-error: n154_random_positions_of_i8\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, Scalar<u64> seed, In<i8, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(random_uniform(seed, load_like(x, z)));
#else
  z.store(random_uniform(seed, cast<i32>(load_like(x, z))));
#endif
});
