// SPDX-License-Identifier: Apache-2.0
// expect-error: error_literal_does_not_fit_the_element
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f16, B> z, In<f16, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z) * 70000.0);
#else
  z.store(load_like(x, z) * 65504.0);
#endif
});
