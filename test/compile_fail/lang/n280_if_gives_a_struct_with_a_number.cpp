// SPDX-License-Identifier: Apache-2.0
// expect-error: a branch of if_ gives a tile or nothing, or a struct of tiles alone
// expect-error: n280_if_gives_a_struct_with_a_number\.cpp:22:

#include "tilewright/lang/lang.hpp"

using namespace tilewright;
inline constexpr Dim B{"B"};

struct Sums {
  Tile<f32, B> sum;
#ifndef TILEWRIGHT_FIXED
  int parts;
#else
  Tile<i32> parts;
#endif
};

inline constexpr auto k = kernel<"k">([](Out<f32, B> z, In<f32, dyn> x, Scalar<i32> n) {
  auto v = load_like(x, z);
#ifndef TILEWRIGHT_FIXED
  auto all = if_(
      n > 0,
      [&] {
        return Sums{v + 1, 1};
      },
      [&] {
        return Sums{v, 2};
      });
  z.store(all.sum);
#else
  auto all = if_(
      n > 0,
      [&] {
        return Sums{v + 1, n};
      },
      [&] {
        return Sums{v, n * 2};
      });
  z.store(all.sum + cast<f32>(all.parts));
#endif
});
