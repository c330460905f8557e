// SPDX-License-Identifier: Apache-2.0
// expect-error: error_kernel_has_too_many_dims

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr Dim D[] = {"D0", "D1",  "D2",  "D3",  "D4",  "D5",  "D6",  "D7", "D8",
                            "D9", "D10", "D11", "D12", "D13", "D14", "D15", "D16"};
#ifndef TILEWRIGHT_FIXED
inline constexpr int last = 16;
#else
inline constexpr int last = 15;
#endif
inline constexpr auto k =
    kernel<"k">([](Out<f32, D[0]> z, In<f32, D[1], D[2], D[3], D[4], D[5], D[6]> x,
                   In<f32, D[7], D[8], D[9], D[10], D[11], D[12]> y, In<f32, D[13], D[14], D[15], D[last]> w) {
      z.store(reshape(x.load(tile<D[0], 1, 1, 1, 1, 1>, 0, 0, 0, 0, 0, 0), tile<D[0]>));
    });
