// SPDX-License-Identifier: Apache-2.0
// expect-error: unpack takes bytes, two elements in each: a tile of u8
// expect-error: n308_unpack_i32\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, 2 * B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(cast<i32>(unpack<i4>(x.load(tile<B>, b.pid(0)))));
#else
  z.store(cast<i32>(unpack<i4>(cast<u8>(x.load(tile<B>, b.pid(0))))));
#endif
});
