// SPDX-License-Identifier: Apache-2.0
// The longest of the classic kernels, apart so that the cost of its capture can be measured.
#pragma once

#include "tilewright/lang/lang.hpp"

namespace tilewright::test {

inline constexpr Dim BM{"BM"}, BN{"BN"}, D{"D"};

// Scores that a causal query may not see, and those past the last key, become -inf.
constexpr auto causal_mask(Block b, const Tile<f32, BM, BN>& s, const Index& i, const Index& j, const Index& past,
                           const Index& keys) {
  auto row = b.iota<index_element>(tile<BM, 1>) + (i * b.size(tile<BM>) + past);
  auto column = b.iota<index_element>(tile<1, BN>) + j * b.size(tile<BN>);
  return select((column <= row) & (column < keys), s, -inf);
}

// Causal attention of one head; query row r sees keys up to r + past. With a negative `past` the first rows see none:
// such a row is zero.
inline constexpr auto attention =
    kernel<"attention">([](Block b, Out<f16, BM, D> o, In<f16, dyn, D> q, In<f16, dyn, D> k, In<f16, dyn, D> v,
                           Scalar<f32> scale, Scalar<i64> past) {
      auto kt = k.partition(tile<BN, D>);
      auto vt = v.partition(tile<BN, D>);
      auto i = b.pid(0);
      auto qi = q.load(tile<BM, D>, i, 0);
      auto m = b.full<f32>(tile<BM, 1>, -inf);
      auto l = b.zeros<f32>(tile<BM, 1>);
      auto acc = b.zeros<f32>(tile<BM, D>);
      for (auto j : range(kt.tiles(0))) {
        auto s = mma(qi, transpose(kt.load(j, 0, pad(0))), b.zeros<f32>(tile<BM, BN>)) * scale;
        s = causal_mask(b, s, i, j, to_index(past), k.extent(0));
        auto m2 = max(m, reduce_max<1>(s));
        auto base = select(m2 == -inf, 0, m2);
        auto p = exp(s - base);
        auto alpha = exp(m - base);
        l = l * alpha + reduce_sum<1>(p);
        acc = mma(cast<f16>(p), vt.load(j, 0, pad(0)), acc * alpha);
        m = m2;
      }
      o.store(cast<f16>(select(l == 0, 0, acc / l)));
    });

}  // namespace tilewright::test
