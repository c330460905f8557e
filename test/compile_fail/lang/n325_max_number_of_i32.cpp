// SPDX-License-Identifier: Apache-2.0
// expect-error: min_number and max_number choose among floats
// expect-error: n325_max_number_of_i32\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(max_number(load_like(x, z), load_like(x, z)));
#else
  z.store(max(load_like(x, z), load_like(x, z)));
#endif
});
