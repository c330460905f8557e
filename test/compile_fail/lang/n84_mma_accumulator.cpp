// SPDX-License-Identifier: Apache-2.0
// expect-error: c must be f32 \(f16 too for f16 and fp8\), f64 for f64 and i32 for i8 and u8
// expect-error: n84_mma_accumulator\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<bf16, BM, BN> z, In<bf16, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto p = x.load(tile<BM, BK>, 0, 0);
  z.store(mma(p, x.load(tile<BK, BN>, 0, 0), b.zeros<bf16>(tile<BM, BN>)));
#else
  auto p = x.load(tile<BM, BK>, 0, 0);
  z.store(cast<bf16>(mma(p, x.load(tile<BK, BN>, 0, 0), b.zeros<f32>(tile<BM, BN>))));
#endif
});
