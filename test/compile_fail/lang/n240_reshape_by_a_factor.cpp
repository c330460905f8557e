// SPDX-License-Identifier: Apache-2.0
// expect-error: reshape changes the number of elements
// expect-error: n240_reshape_by_a_factor\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM * BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(reshape(x.load(tile<2 * BM, BN>, 0, 0), tile<BM * BN>));
#else
  z.store(reshape(x.load(tile<2 * BM, BN / 2>, 0, 0), tile<BM * BN>));
#endif
});
