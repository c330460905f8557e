// SPDX-License-Identifier: Apache-2.0
// expect-error: the rows are a tile of integers or of Index values
// expect-error: n70_gather_rows_by_floats\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k = kernel<"k">([](Out<f32, BM, BN> z, In<f32, dyn, dyn> x, In<f32, dyn, dyn> ids) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.gather_rows(ids.load(tile<BM, 1>, 0, 0), tile<BM, BN>, 0));
#else
  z.store(x.gather_rows(cast<i32>(ids.load(tile<BM, 1>, 0, 0)), tile<BM, BN>, 0));
#endif
});
