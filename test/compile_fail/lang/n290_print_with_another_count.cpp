// SPDX-License-Identifier: Apache-2.0
// expect-error: a printed text has another number of places
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  b.print("{} of {}", b.pid(0));
#else
  b.print("{} of {}", b.pid(0), b.grid(0));
#endif
  z.store(load_like(x, z));
});
