// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_stored_on_one_branch_only
// A block for which the condition is false would leave its piece unwritten.
#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto guarded = kernel<"guarded">([](Block b, Out<f32, B> z, In<f32, dyn> x) {
#ifdef TILEWRIGHT_FIXED
  z.store(select(b.pid(0) > 0, load_like(x, z), 0));
#else
  if_(b.pid(0) > 0, [&] { z.store(load_like(x, z)); });
#endif
});
