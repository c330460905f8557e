// SPDX-License-Identifier: Apache-2.0
// expect-error: a Unique parameter takes indices that were checked

#include "support/misuse_kernels.hpp"

using namespace tilewright;
using namespace tilewright::test;
inline constexpr Dim BM{"BM"}, BN{"BN"};

inline constexpr auto k =
    kernel<"k">([](Block b, Scatter<f32, BM, BN> z, Unique<i32> rows) { z.store(rows, b.full<f32>(tile<BM, BN>, 1)); });

void misuse() {
  auto z = device().zeros<f32>({64, 8});
  auto rows = device().iota<i32>({16}).share();
#ifndef TILEWRIGHT_FIXED
  k(z.partition({4, 8}), rows).sync();
#else
  k(z.partition({4, 8}), unique_indices(rows, 64)).sync();
#endif
}
