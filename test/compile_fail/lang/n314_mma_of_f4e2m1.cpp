// SPDX-License-Identifier: Apache-2.0
// expect-error: multiplies f16, bf16, tf32, f32, f64, fp8, i8 or u8
// expect-error: n314_mma_of_f4e2m1\.cpp:14:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM, BN> z, In<u8, dyn, dyn> x, In<u8, dyn, dyn> y) {
  auto p = unpack<f4e2m1>(x.load(tile<BM, BK>, b.pid(0), 0, pad(0)));
  auto q = transpose(unpack<f4e2m1>(y.load(tile<BN, BK>, b.pid(1), 0, pad(0))));
#ifndef TILEWRIGHT_FIXED
  z.store(mma(p, q, b.zeros<f32>(tile<BM, BN>)));
#else
  z.store(mma(cast<f16>(p), cast<f16>(q), b.zeros<f32>(tile<BM, BN>)));
#endif
});
