// SPDX-License-Identifier: Apache-2.0
// expect-error: unused-(result|value)|nodiscard
// expect-error: n26_unused_value\.cpp:14:
// flags: -Werror=unused-result -Werror=unused-value

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
#ifndef TILEWRIGHT_FIXED
  auto v = load_like(x, z);
  v + 1;
  z.store(v);
#else
  auto v = load_like(x, z);
  v += 1;
  z.store(v);
#endif
});
