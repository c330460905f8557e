// SPDX-License-Identifier: Apache-2.0
// expect-error: this operation does not take this element type
// expect-error: n125_scan_of_bools\.cpp:12:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<i32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  z.store(cast<i32>(scan_max<0>(load_like(x, z) > 0.0f)));
#else
  z.store(scan_max<0>(cast<i32>(load_like(x, z) > 0.0f)));
#endif
});
