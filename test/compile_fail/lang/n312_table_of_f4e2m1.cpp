// SPDX-License-Identifier: Apache-2.0
// expect-error: a table has no elements of 4 bits
// expect-error: n312_table_of_f4e2m1\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, 4> z) {
#ifndef TILEWRIGHT_FIXED
  auto v = b.table<f4e2m1>({0, 1, 2, 3});
#else
  auto v = bitcast<f4e2m1>(b.table<u8>({0, 2, 4, 5}));
#endif
  z.store(cast<f32>(v));
});
