// SPDX-License-Identifier: Apache-2.0
// expect-error: print takes tiles, scalars and indices
// expect-error: n293_print_of_a_number\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  b.print("{} of {}", b.pid(0), 4);
#else
  b.print("{} of 4", b.pid(0));
#endif
  z.store(load_like(x, z));
});
