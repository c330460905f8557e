// SPDX-License-Identifier: Apache-2.0
// expect-error: iota counts along one axis
// expect-error: n90_iota_two_axes\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, BM, BN> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.iota<i32>(tile<BM, BN>));
#else
  z.store(b.iota<i32>(tile<BM, 1>) + b.iota<i32>(tile<1, BN>));
#endif
});
