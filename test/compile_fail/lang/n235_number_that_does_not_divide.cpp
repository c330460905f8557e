// SPDX-License-Identifier: Apache-2.0
// expect-error: error_number_is_no_multiple_of_its_divisor
// expect-error: n235_number_that_does_not_divide\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
template <Dim Rows>
inline constexpr auto halves =
#ifndef TILEWRIGHT_FIXED
    // With a number in the place of a Dim the division is judged while C++ compiles.
    kernel<"halves">([](Block b, Out<f32, Rows / 2> z) { z.store(b.full<f32>(tile<Rows / 2>, 0)); });
#else
    kernel<"halves">([](Block b, Out<f32, ceil_div(Rows, 2)> z) { z.store(b.full<f32>(tile<ceil_div(Rows, 2)>, 0)); });
#endif
inline constexpr auto k = halves<33>;
