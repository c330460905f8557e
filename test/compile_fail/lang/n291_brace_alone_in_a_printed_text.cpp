// SPDX-License-Identifier: Apache-2.0
// expect-error: a brace of a printed text stands alone
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  b.print("block {0}", b.pid(0));
#else
  b.print("block {}", b.pid(0));
#endif
  z.store(load_like(x, z));
});
