// SPDX-License-Identifier: Apache-2.0
// expect-error: a text of a kernel is one line with at least one character
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  assert_(load_like(x, z) >= 0, "counts\nfrom 0");
#else
  assert_(load_like(x, z) >= 0, "counts from 0");
#endif
  z.store(load_like(x, z));
});
