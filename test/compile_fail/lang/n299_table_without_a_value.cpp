// SPDX-License-Identifier: Apache-2.0
// expect-error: a table has rank 1 or more, extents that are numbers, and one value for each element
// expect-error: n299_table_without_a_value\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, 2, 3> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(b.table<f32>(tile<2, 3>, {0, 1, 2, 3, 4}));
#else
  z.store(b.table<f32>(tile<2, 3>, {0, 1, 2, 3, 4, 5}));
#endif
});
