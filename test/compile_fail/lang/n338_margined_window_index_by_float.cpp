// SPDX-License-Identifier: Apache-2.0
// expect-error: a window index is an integer or an Index
// expect-error: n338_margined_window_index_by_float\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.windows(tile<BM>, stride<1>, margin<2>).load(1.0f, pad(0)));
#else
  z.store(x.windows(tile<BM>, stride<1>, margin<2>).load(1, pad(0)));
#endif
});
