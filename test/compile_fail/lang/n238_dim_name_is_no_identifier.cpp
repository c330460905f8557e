// SPDX-License-Identifier: Apache-2.0
// expect-error: error_dim_name_is_no_identifier
// expect-error: n238_dim_name_is_no_identifier\.cpp:9:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
#ifndef TILEWRIGHT_FIXED
inline constexpr Dim rows{"2*BM"};
#else
inline constexpr Dim rows = 2 * Dim("BM");
#endif
inline constexpr auto k = kernel<"k">([](Block b, Out<f32, rows> z) { z.store(b.full<f32>(tile<rows>, 0)); });
