// SPDX-License-Identifier: Apache-2.0
// expect-error: the tile has no such axis
// expect-error: n124_scan_axis\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(scan_max<1, scan_order::reverse>(load_like(x, z)));
#else
  z.store(scan_max<0, scan_order::reverse>(load_like(x, z)));
#endif
});
