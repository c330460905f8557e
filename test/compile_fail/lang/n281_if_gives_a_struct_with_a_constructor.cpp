// SPDX-License-Identifier: Apache-2.0
// expect-error: a branch of if_ gives a tile or nothing, or a struct of tiles alone
// expect-error: n281_if_gives_a_struct_with_a_constructor\.cpp:19:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

struct Pair {
#ifndef TILEWRIGHT_FIXED
  constexpr Pair(const Tile<f32, B>& a, const Tile<f32, B>& b) : first(a), second(b) {}
#endif
  Tile<f32, B> first, second;
};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
  auto v = load_like(x, z);
  auto both = if_(
      n > 0,
      [&] {
        return Pair{v, -v};
      },
      [&] {
        return Pair{-v, v};
      });
  z.store(both.first * 2 + both.second);
});
