// SPDX-License-Identifier: Apache-2.0
// expect-error: a tensor of such packed numbers holds u8
// expect-error: n306_parameter_of_f4e2m1\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k =
#ifndef TILEWRIGHT_FIXED
    kernel<"k">([](Block b, Out<f32, BM, BN> z, In<f4e2m1, dyn, dyn> x) {
      z.store(cast<f32>(x.load(tile<BM, BN>, b.pid(0), b.pid(1))));
#else
    kernel<"k">([](Block b, Out<f32, BM, 2 * BN> z, In<u8, dyn, dyn> x) {
      z.store(cast<f32>(unpack<f4e2m1>(x.load(tile<BM, BN>, b.pid(0), b.pid(1)))));
#endif
    });
