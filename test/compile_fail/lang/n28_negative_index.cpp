// SPDX-License-Identifier: Apache-2.0
// expect-error: error_tile_index_is_negative
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(x.load(tile<B>, -1));
#else
  z.store(x.load(tile<B>, 1));
#endif
});
