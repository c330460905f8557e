// SPDX-License-Identifier: Apache-2.0
// expect-error: sort takes tiles of rank 4 at most; reshape the tile first

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim N{"N"};

inline constexpr auto k = kernel<"k">([](Out<f32, 1, 1, 2, 2, 8> z, In<f32, dyn, dyn, dyn, dyn, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(sort<4>(load_like(x, z)));
#else
  z.store(reshape(sort<3>(reshape(load_like(x, z), tile<1, 2, 2, 8>)), tile<1, 1, 2, 2, 8>));
#endif
});
