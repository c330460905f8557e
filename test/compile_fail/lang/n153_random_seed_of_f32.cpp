// SPDX-License-Identifier: Apache-2.0
// expect-error: the seed of random numbers is a scalar of i32, u32, i64 or u64
// expect-error: n153_random_seed_of_f32\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, Scalar<f32> seed, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(random_uniform(seed, load_like(x, z)));
#else
  z.store(random_uniform(bitcast<u32>(seed), load_like(x, z)));
#endif
});
