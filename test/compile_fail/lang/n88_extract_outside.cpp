// SPDX-License-Identifier: Apache-2.0
// expect-error: extract: the piece does not lie inside the tile
// expect-error: n88_extract_outside\.cpp:11:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;

inline constexpr auto k = kernel<"k">([](Out<f32, 8> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(extract<2>(x.load(tile<16>, 0), tile<8>));
#else
  z.store(extract<1>(x.load(tile<16>, 0), tile<8>));
#endif
});
