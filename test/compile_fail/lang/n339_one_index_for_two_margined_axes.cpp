// SPDX-License-Identifier: Apache-2.0
// expect-error: wrong number of window indices: give one for each axis, then pad
// expect-error: n339_one_index_for_two_margined_axes\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BK> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.windows(tile<BM, BK>, stride<1, BK>, margin<2, 0>).load(b.pid(0), pad(0)));
#else
  z.store(x.windows(tile<BM, BK>, stride<1, BK>, margin<2, 0>).load(b.pid(0), b.pid(1), pad(0)));
#endif
});
