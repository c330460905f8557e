// SPDX-License-Identifier: Apache-2.0
// expect-error: load_like\(x, z\): x and z have different ranks
// expect-error: n68_load_like_ranks\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z));
#else
  z.store(reshape(x.load(tile<1, B>, 0, 0), tile<B>));
#endif
});
