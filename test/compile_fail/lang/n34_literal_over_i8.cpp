// SPDX-License-Identifier: Apache-2.0
// expect-error: error_literal_does_not_fit_the_element
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i8, B> z, In<i8, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + 300);
#else
  z.store(load_like(x, z) + 100);
#endif
});
