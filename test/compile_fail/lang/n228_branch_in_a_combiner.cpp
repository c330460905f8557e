// SPDX-License-Identifier: Apache-2.0
// expect-error: a combiner is made of element-wise operations
// expect-error: line<15>

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

inline constexpr auto k = kernel<"k">([](Block b, Out<f32, B, 1> z, In<f32, dyn, dyn> x) {
  auto v = x.load(tile<B, 8>, b.pid(0), 0);
#ifndef TILEWRIGHT_FIXED
  auto [sum] = reduce<1>(values(v), identity(inf), [](auto left, auto right) {
    auto takes = right.first < left.first;
    return values(if_(
        takes, [&] { return right.first; }, [&] { return left.first; }));
  });
#else
  auto [sum] = reduce<1>(values(v), identity(inf), [](auto left, auto right) {
    auto takes = right.first < left.first;
    return values(select(takes, right.first, left.first));
  });
#endif
  z.store(sum);
});
