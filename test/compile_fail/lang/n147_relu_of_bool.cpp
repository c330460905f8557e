// SPDX-License-Identifier: Apache-2.0
// expect-error: this function takes numbers, not bool
// expect-error: n147_relu_of_bool\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<bool, B> z, In<bool, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(relu(load_like(x, z)));
#else
  z.store(load_like(x, z));
#endif
});
