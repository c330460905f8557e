// SPDX-License-Identifier: Apache-2.0
// expect-error: tile shapes differ
// expect-error: n01_shapes_differ\.cpp:14:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto a = x.load(tile<BM, BN>, 0, 0);
  auto b = x.load(tile<BN, BM>, 0, 0);
  z.store(a + b);
#else
  auto a = x.load(tile<BM, BN>, 0, 0);
  auto b = x.load(tile<BN, BM>, 0, 0);
  z.store(a + transpose(b));
#endif
});
