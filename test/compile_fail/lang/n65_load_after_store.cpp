// SPDX-License-Identifier: Apache-2.0
// expect-error: error_output_is_loaded_after_its_store
// expect-error: line<13>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](InOut<f32, B> z) {
#ifndef TILEWRIGHT_FIXED
  z.store(z.load() + 1);
  auto late = z.load();
#else
  auto early = z.load();
  z.store(early + 1);
#endif
});
