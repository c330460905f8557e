// SPDX-License-Identifier: Apache-2.0
// expect-error: select needs a bool tile as condition
// expect-error: n80_select_on_numbers\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  z.store(select(v, v, 0));
#else
  auto v = load_like(x, z);
  z.store(select(v != 0, v, 0));
#endif
});
