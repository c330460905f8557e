// SPDX-License-Identifier: Apache-2.0
// expect-error: ! needs a bool tile
// expect-error: n76_not_of_a_number\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(!load_like(x, z));
#else
  z.store(~load_like(x, z));
#endif
});
