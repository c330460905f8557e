// SPDX-License-Identifier: Apache-2.0
// expect-error: wrong number of tile indices
// expect-error: n10_index_count\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<BM, BN>, b.pid(0)));
#else
  z.store(x.load(tile<BM, BN>, b.pid(0), b.pid(1)));
#endif
});
