// SPDX-License-Identifier: Apache-2.0
// expect-error: multiplies f16, bf16, tf32, f32, f64, fp8, i8 or u8
// expect-error: n83_mma_elements\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, BM, BN> z, In<i16, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto p = x.load(tile<BM, BK>, 0, 0);
  z.store(mma(p, x.load(tile<BK, BN>, 0, 0), b.zeros<i32>(tile<BM, BN>)));
#else
  auto p = cast<f32>(x.load(tile<BM, BK>, 0, 0));
  z.store(cast<i32>(mma(p, cast<f32>(x.load(tile<BK, BN>, 0, 0)), b.zeros<f32>(tile<BM, BN>))));
#endif
});
