// SPDX-License-Identifier: Apache-2.0
// expect-error: where\(mask\) takes a bool tile
// expect-error: n202_gather_mask_of_numbers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn, dyn> x, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.gather(ids.load(tile<BM>, b.pid(0)), 0, where(ids.load(tile<BM>, b.pid(0)))));
#else
  z.store(x.gather(ids.load(tile<BM>, b.pid(0)), 0, where(ids.load(tile<BM>, b.pid(0)) > 0)));
#endif
});
