// SPDX-License-Identifier: Apache-2.0
// expect-error: error_loops_and_branches_nest_too_deeply

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

template <int Depth>
constexpr void nest(Tile<f32, B>& v, const Index& n) {
  if constexpr (Depth == 0) {
    v += 1;
  } else {
    for (auto i : range(n)) nest<Depth - 1>(v, i);
  }
}
#ifndef TILEWRIGHT_FIXED
inline constexpr int depth = 40;
#else
inline constexpr int depth = 20;
#endif
inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x) {
  auto v = load_like(x, z);
  nest<depth>(v, x.extent(0));
  z.store(v);
});
