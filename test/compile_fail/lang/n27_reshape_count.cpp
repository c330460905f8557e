// SPDX-License-Identifier: Apache-2.0
// expect-error: reshape changes the number of elements
// expect-error: n27_reshape_count\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, 8> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(reshape(x.load(tile<BM, 4>, 0, 0), tile<BM, 8>));
#else
  z.store(reshape(x.load(tile<8, BM>, 0, 0), tile<BM, 8>));
#endif
});
