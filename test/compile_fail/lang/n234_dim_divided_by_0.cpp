// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dim_is_divided_by_a_number_under_1
// expect-error: n234_dim_divided_by_0\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"};

#ifndef TILEWRIGHT_FIXED
inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z) { z.store(b.full<f32>(tile<BM / 0>, 0)); });
#else
inline constexpr auto k = kernel<"k">([](Block b, Out<f32, BM> z) { z.store(b.full<f32>(tile<BM / 1>, 0)); });
#endif
