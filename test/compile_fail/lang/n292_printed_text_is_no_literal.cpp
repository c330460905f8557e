// SPDX-License-Identifier: Apache-2.0
// expect-error: a text of a kernel is a string literal
// expect-error: n292_printed_text_is_no_literal\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  b.print(b.pid(0));
#else
  b.print("{}", b.pid(0));
#endif
  z.store(load_like(x, z));
});
