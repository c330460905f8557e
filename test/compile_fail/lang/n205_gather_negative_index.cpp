// SPDX-License-Identifier: Apache-2.0
// expect-error: error_element_index_is_negative
// expect-error: line<12

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z, In<f32, dyn, dyn> x, In<i32, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.gather(ids.load(tile<BM>, b.pid(0)), -1));
#else
  z.store(x.gather(ids.load(tile<BM>, b.pid(0)), 1));
#endif
});
