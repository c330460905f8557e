// SPDX-License-Identifier: Apache-2.0
// expect-error: c must be f32 for floating operands and i32 for i8
// expect-error: n84_mma_accumulator\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f16, BM, BN> z, In<f16, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto p = x.load(tile<BM, BK>, 0, 0);
  z.store(mma(p, x.load(tile<BK, BN>, 0, 0), b.zeros<f16>(tile<BM, BN>)));
#else
  auto p = x.load(tile<BM, BK>, 0, 0);
  z.store(cast<f16>(mma(p, x.load(tile<BK, BN>, 0, 0), b.zeros<f32>(tile<BM, BN>))));
#endif
});
