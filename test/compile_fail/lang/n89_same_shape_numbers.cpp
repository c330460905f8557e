// SPDX-License-Identifier: Apache-2.0
// expect-error: two different numbers can never be equal
// expect-error: n89_same_shape_numbers\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, 8> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(same_shape(x.load(tile<16>, 0), tile<8>));
#else
  z.store(same_shape(x.load(tile<B>, 0), tile<8>));
#endif
});
