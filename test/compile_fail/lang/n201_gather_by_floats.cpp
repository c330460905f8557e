// SPDX-License-Identifier: Apache-2.0
// expect-error: an element index is a tile of integers
// expect-error: n201_gather_by_floats\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.gather(x.load(tile<BM>, b.pid(0))));
#else
  z.store(x.gather(cast<i32>(x.load(tile<BM>, b.pid(0)))));
#endif
});
