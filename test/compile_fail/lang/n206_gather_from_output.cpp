// SPDX-License-Identifier: Apache-2.0
// expect-error: an output has one piece per block, which is not gathered from
// expect-error: n206_gather_from_output\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, BM> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(z.gather(x.load(tile<BM>, b.pid(0))));
#else
  z.store(x.gather(x.load(tile<BM>, b.pid(0))));
#endif
});
