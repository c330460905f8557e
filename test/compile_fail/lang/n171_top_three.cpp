// SPDX-License-Identifier: Apache-2.0
// expect-error: top_k<Axis, K>: K is a power of two, at most the extent of the axis

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim N{"N"};

inline constexpr auto k = kernel<"k">([](Out<f32, 4, 4> z, In<f32, 4, 8> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(top_k<1, 3>(x.load(tile<4, 8>, 0, 0)).values);
#else
  z.store(top_k<1, 4>(x.load(tile<4, 8>, 0, 0)).values);
#endif
});
