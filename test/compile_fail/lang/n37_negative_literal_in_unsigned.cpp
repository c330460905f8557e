// SPDX-License-Identifier: Apache-2.0
// expect-error: error_literal_does_not_fit_the_element
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<u32, B> z, In<u32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + -1);
#else
  z.store(load_like(x, z) - 1);
#endif
});
