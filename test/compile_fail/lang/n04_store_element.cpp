// SPDX-License-Identifier: Apache-2.0
// expect-error: store: the tile's element type is not the output's
// expect-error: n04_store_element\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f16, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(load_like(x, z));
#else
  z.store(cast<f16>(load_like(x, z)));
#endif
});
