// SPDX-License-Identifier: Apache-2.0
// expect-error: no matching function for call to .softplus
// expect-error: n156_softplus_with_beta\.cpp:13:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

// A number must not pass for the line of the caller.
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(softplus(load_like(x, z), 2));
#else
  z.store(softplus(2 * load_like(x, z)) / 2);
#endif
});
