// SPDX-License-Identifier: Apache-2.0
// A selective scan (A. Gu, T. Dao, 2023: Mamba), and the Hadamard transform of rows. Peers: the mamba_ssm package,
// TileLang's hadamard_transform; cuTile Rust has neither.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/kernels/shapes.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::ports {

using namespace kernels;

inline constexpr Dim STATE{"STATE"};  // numbers that a channel remembers

// Channel c remembers h [STATE]: at each time t it becomes e^(step a) h + step x b, and z = c . h + skip x. x, step and
// z are [times, channels], a is [channels, STATE], in and out (b and c) are [times, STATE], skip is [channels]; all
// f32. A block has all times of BN channels: z in pieces [whole_axis, BN].
inline constexpr auto selective_scan = kernel<"selective_scan">(
    [](Block b, Out<f32, dyn, BN> z, In<f32, dyn, dyn> x, In<f32, dyn, dyn> step, In<f32, dyn, STATE> a,
       In<f32, dyn, STATE> in, In<f32, dyn, STATE> out, In<f32, dyn> skip) {
      require_same_shape(z, x);
      require_same_shape(step, x);
      require_same_shape(in, out);
      require_equal(in.extent(0), x.extent(0));
      require_equal(a.extent(0), x.extent(1));
      require_equal(skip.extent(0), x.extent(1));
      auto to = z.partition(tile<1, BN>);
      auto decay = a.load(tile<BN, STATE>, b.pid(1), 0, pad(0));
      auto direct = reshape(skip.load(tile<BN>, b.pid(1), pad(0)), tile<BN, 1>);
      auto state = b.zeros<f32>(tile<BN, STATE>);
      for (auto t : range(to.tiles(0))) {
        auto now = transpose(x.load(tile<1, BN>, t, b.pid(1), pad(0)));
        auto length = transpose(step.load(tile<1, BN>, t, b.pid(1), pad(0)));
        state = exp(length * decay) * state + length * now * in.load(tile<1, STATE>, t, 0);
        auto seen = reduce_sum<1>(state * out.load(tile<1, STATE>, t, 0)) + direct * now;
        to.store(t, 0, transpose(seen));
      }
    });

// Sums and differences of elements Stride apart, for Stride and all its doubles below Columns.
template <int Columns, int Stride, class Rows>
constexpr auto butterflies(const Rows& rows) {
  if constexpr (Stride == Columns) {
    return Rows(rows);
  } else {
    auto pairs = reshape(rows, tile<BM, Columns / (2 * Stride), 2, Stride>);
    auto low = extract<0, 0, 0, 0>(pairs, tile<BM, Columns / (2 * Stride), 1, Stride>);
    auto high = extract<0, 0, 1, 0>(pairs, tile<BM, Columns / (2 * Stride), 1, Stride>);
    auto next = reshape(cat<2>(low + high, low - high), tile<BM, Columns>);
    return butterflies<Columns, 2 * Stride>(next);
  }
}

// Rows of x [M, Columns] times the Hadamard matrix in its natural order, times factor; Columns is a power of two.
template <class T, int Columns>
inline constexpr auto hadamard = kernel<"hadamard">([](Block b, Out<T, BM, Columns> z, In<T, dyn, Columns> x,
                                                       Scalar<f32> factor) {
  require_same_shape(z, x);
  auto rows = cast<f32>(x.load(tile<BM, Columns>, b.pid(0), 0, pad(0)));
  z.store(cast<T>(butterflies<Columns, 1>(rows) * factor));
});

}  // namespace tilewright::ports
