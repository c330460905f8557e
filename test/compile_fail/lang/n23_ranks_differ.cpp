// SPDX-License-Identifier: Apache-2.0
// expect-error: operands have different ranks
// expect-error: n23_ranks_differ\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<f32, dyn> y) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + y.load(tile<BN>, 0));
#else
  z.store(load_like(x, z) + reshape(y.load(tile<BN>, 0), tile<1, BN>));
#endif
});
