// SPDX-License-Identifier: Apache-2.0
// expect-error: requires_ takes one condition for the whole launch, a bool of rank 0
// expect-error: n159_requires_of_elements\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  requires_(load_like(x, z) >= 0.0f);
#else
  requires_(x.extent(0) >= 1);
#endif
  z.store(load_like(x, z));
});
