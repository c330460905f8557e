// SPDX-License-Identifier: Apache-2.0
// expect-error: mma\(a, b, c\): a and b have different element types; write cast<T>\(x\)
// expect-error: n160_mma_two_elements\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f16, dyn, dyn> x, In<bf16, dyn, dyn> y) {
#ifndef TILEWRIGHT_FIXED
  z.store(mma(x.load(tile<BM, BK>, 0, 0), y.load(tile<BK, BN>, 0, 0), b.zeros<f32>(tile<BM, BN>)));
#else
  z.store(mma(x.load(tile<BM, BK>, 0, 0), cast<f16>(y.load(tile<BK, BN>, 0, 0)), b.zeros<f32>(tile<BM, BN>)));
#endif
});
