// SPDX-License-Identifier: Apache-2.0
// expect-error: store: the tile's shape is not the output's
// expect-error: n126_scan_keeps_its_shape\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, 1> z, In<i32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(scan_product<0>(x.load(tile<B>, 0)));
#else
  z.store(reduce_product<0>(x.load(tile<B>, 0)));
#endif
});
