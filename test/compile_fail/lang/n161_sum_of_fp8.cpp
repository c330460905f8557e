// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not take this element type; write cast<T>\(x\) first, of fp8 cast<f32>\(x\)
// expect-error: n161_sum_of_fp8\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, 1> z, In<f8e4m3, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(cast<f32>(reduce_sum<1>(x.load(tile<BM, 16>, 0, 0))));
#else
  z.store(reduce_sum<1>(cast<f32>(x.load(tile<BM, 16>, 0, 0))));
#endif
});
