// SPDX-License-Identifier: Apache-2.0
// expect-error: the seed of random numbers is a scalar of i32, u32, i64 or u64
// expect-error: n157_random_seed_is_a_literal\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(random_uniform(42, b.iota<i32>(tile<B>)));
#else
  z.store(random_uniform(b.full<i32>(tile<>, 42), b.iota<i32>(tile<B>)));
#endif
});
