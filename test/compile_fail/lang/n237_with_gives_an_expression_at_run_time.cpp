// SPDX-License-Identifier: Apache-2.0
// expect-error: an expression of Dims is given a value
// expect-error: n237_with_gives_an_expression_at_run_time\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, 2 * BM> z) { z.store(b.full<f32>(tile<2 * BM>, 0)); });
auto of(index_t rows) {
#ifndef TILEWRIGHT_FIXED
  return k.with(dim<2 * BM>(rows));
#else
  return k.with(dim<BM>(rows / 2));
#endif
}
