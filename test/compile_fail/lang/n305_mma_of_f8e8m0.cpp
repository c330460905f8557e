// SPDX-License-Identifier: Apache-2.0
// expect-error: multiplies f16, bf16, tf32, f32, f64, fp8, i8 or u8
// expect-error: n305_mma_of_f8e8m0\.cpp:14:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f8e8m0, dyn, dyn> x, In<f8e8m0, dyn, dyn> y) {
  auto p = x.load(tile<BM, BK>, 0, 0, pad(1));
  auto q = y.load(tile<BK, BN>, 0, 0, pad(1));
#ifndef TILEWRIGHT_FIXED
  z.store(mma(p, q, b.zeros<f32>(tile<BM, BN>)));
#else
  z.store(mma(cast<f32>(p), cast<f32>(q), b.zeros<f32>(tile<BM, BN>)));
#endif
});
