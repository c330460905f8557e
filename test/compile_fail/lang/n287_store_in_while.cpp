// SPDX-License-Identifier: Apache-2.0
// expect-error: an output is stored inside a traced loop
// expect-error: line<17>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, InOut<f32, B> z, Scalar<f32> limit) {
  auto v = z.load();
  auto least = reshape(reduce_min<0>(v), tile<>);
#ifndef TILEWRIGHT_FIXED
  b.while_([&] { return least < limit; },
           [&] {
             least = least + 1;
             z.store(v);
           });
#else
  b.while_([&] { return least < limit; }, [&] { least = least + 1; });
#endif
  z.store(v + least);
});
