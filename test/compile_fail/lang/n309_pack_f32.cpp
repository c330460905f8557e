// SPDX-License-Identifier: Apache-2.0
// expect-error: pack takes elements of 4 bits
// expect-error: n309_pack_f32\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<u8, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(pack(x.load(tile<2 * B>, b.pid(0))));
#else
  z.store(pack(cast<f4e2m1>(x.load(tile<2 * B>, b.pid(0)))));
#endif
});
