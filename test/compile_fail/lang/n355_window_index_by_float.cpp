// SPDX-License-Identifier: Apache-2.0
// expect-error: a tile index is an integer or an Index
// expect-error: n355_window_index_by_float\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BK{"BK"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.windows(tile<BM>, stride<1>).load(0.5f));
#else
  z.store(x.windows(tile<BM>, stride<1>).load(0));
#endif
});
