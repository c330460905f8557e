// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_never_stored
// An output that no path stores would hold whatever lay there before.
#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto twice = kernel<"twice">([](Out<f32, B> z, In<f32, dyn> x) {
  auto doubled = load_like(x, z) * 2;
#ifdef TILEWRIGHT_FIXED
  z.store(doubled);
#endif
});
