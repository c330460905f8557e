// SPDX-License-Identifier: Apache-2.0
// expect-error: the condition of while_ assigns a tile made before it
// expect-error: line<14>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, InOut<f32, B> z, Scalar<f32> limit) {
  auto v = z.load();
  auto least = reshape(reduce_min<0>(v), tile<>);
#ifndef TILEWRIGHT_FIXED
  b.while_([&] { return (least = least + 1) < limit; }, [&] { v = v * 2; });
#else
  b.while_([&] { return least < limit; }, [&] { least = least + 1; });
#endif
  z.store(v + least);
});
