// SPDX-License-Identifier: Apache-2.0
// expect-error: error_literal_does_not_fit_the_element
// A literal takes the element of the tile, and 300 is no i8.
#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto shift = kernel<"shift">([](Out<i8, B> z, In<i8, dyn> x) {
#ifdef TILEWRIGHT_FIXED
  z.store(load_like(x, z) + 100);
#else
  z.store(load_like(x, z) + 300);
#endif
});
