// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_stored_on_one_branch_only
// expect-error: line<12>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
#ifndef TILEWRIGHT_FIXED
  if_(n > 3, [&] { z.store(load_like(x, z)); });
#else
  if_(
      n > 3, [&] { z.store(load_like(x, z)); }, [&] { z.store(load_like(x, z) + 1); });
#endif
});
