// SPDX-License-Identifier: Apache-2.0
// expect-error: the extent of the last axis is even
// expect-error: n310_pack_odd_extent\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<u8, B, 4> z, In<i32, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(pack(cast<i4>(x.load(tile<B, 7>, b.pid(0), b.pid(1)))));
#else
  z.store(pack(cast<i4>(x.load(tile<B, 8>, b.pid(0), b.pid(1)))));
#endif
});
