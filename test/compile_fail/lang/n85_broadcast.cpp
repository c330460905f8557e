// SPDX-License-Identifier: Apache-2.0
// expect-error: broadcast repeats axes of extent 1
// expect-error: n85_broadcast\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(broadcast(x.load(tile<BM, BK>, 0, 0), tile<BM, BN>));
#else
  z.store(broadcast(x.load(tile<BM, 1>, 0, 0), tile<BM, BN>));
#endif
});
