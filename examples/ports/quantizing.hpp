// SPDX-License-Identifier: Apache-2.0
// 8-bit floats with a scale for each row, and a function made of another one.
// Peers: TileLang's cast (per-token fp8), Triton's tutorial 07 (libdevice's asin).
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

inline constexpr f32 greatest_e4m3 = 448.0f;

// z scale = x, the greatest element of each row becoming 448; a row of zeros has scale 1. z and x are [M, columns] in
// pieces [BM, N], N >= columns, scale is [M, 1].
template <class T>
inline constexpr auto quantize_rows = kernel<"quantize_rows">([](Block b, Out<f8e4m3, BM, N> z, Out<f32, BM, 1> scale,
                                                                 In<T, dyn, dyn> x) {
  require_whole_rows(b, z, x);
  require_equal(scale.extent(0), x.extent(0));
  auto row = cast<f32>(x.load(tile<BM, N>, b.pid(0), 0, pad(0)));
  auto greatest = reduce_max<1>(abs(row));
  auto by = select(greatest == 0.0f, 1.0f, greatest / greatest_e4m3);
  scale.store(by);
  z.store(cast<f8e4m3>(row / by));
});

// asin(x), NaN outside -1 to 1: the angle of the point (sqrt(1 - x^2), x).
inline constexpr auto asin = kernel<"asin">([](Out<f32, BN> z, In<f32, dyn> x) {
  require_same_shape(z, x);
  auto v = load_like(x, z);
  z.store(atan2(v, sqrt((1.0f - v) * (1.0f + v))));
});

}  // namespace tilewright::ports
