// SPDX-License-Identifier: Apache-2.0
// Rows of a table chosen by ids: z[t, :] = table[ids[t], :], as f32. An id outside the table is clamped to it (so that
// every row read is proved in bounds); callers that want an error check their ids first.
#pragma once

#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace tilewright::kernels {

// The row index of block b's token as a tile (1, 1).
template <class Block, class Ids, class Rows>
constexpr auto clamped_row(const Block& b, const Ids& ids, const Rows& rows) {
  auto id = to_index(reshape(ids.load(tile<1>, b.pid(0)), tile<1, 1>));
  return max(min(id, rows - 1), 0);
}

// Table of f32, f16 or bf16; z [tokens, columns] in pieces [1, BN].
template <class T>
constexpr auto embedding() {
  return kernel<"embedding">([](Block b, Out<f32, 1, BN> z, In<T, dyn, dyn> table, In<i32, dyn> ids) {
    require_equal(ids.extent(0), z.extent(0));
    require_equal(table.extent(1), z.extent(1));
    z.store(cast<f32>(table.gather_rows(clamped_row(b, ids, table.extent(0)), tile<1, BN>, b.pid(1))));
  });
}

// The same as a scalar, for a load of whole rows.
template <class Block, class Ids, class Rows>
constexpr auto clamped_place(const Block& b, const Ids& ids, const Rows& rows) {
  auto id = to_index(reshape(ids.load(tile<1>, b.pid(0)), tile<>));
  return max(min(id, rows - 1), 0);
}

// Table in Q8_0 planes (quantized.hpp): quants [rows, G, 32], scales [rows, G]; z [tokens, G, 32] in pieces [1, G, 32].
// Ids may be i64, which is what argmax gives.
template <class Id = i32>
constexpr auto embedding_q8_0() {
  return kernel<"embedding_q8_0">(
      [](Block b, Out<f32, 1, G, 32> z, In<i8, dyn, G, 32> quants, In<f32, dyn, G> scales, In<Id, dyn> ids) {
        require_equal(ids.extent(0), z.extent(0));
        require_equal(scales.extent(0), quants.extent(0));
        auto row = clamped_place(b, ids, quants.extent(0));
        auto scale = reshape(scales.load(tile<1, G>, row, 0), tile<1, G, 1>);
        z.store(cast<f32>(quants.load(tile<1, G, 32>, row, 0, 0)) * scale);
      });
}

// Table in 4-bit planes: quants [rows, G, 32], scales and minimums [rows, 2, G]; z [tokens, 2, G, 32] in pieces
// [1, 2, G, 32].
template <class Id = i32>
constexpr auto embedding_q4() {
  return kernel<"embedding_q4">([](Block b, Out<f32, 1, 2, G, 32> z, In<u8, dyn, G, 32> quants,
                                   In<f32, dyn, 2, G> scales, In<f32, dyn, 2, G> minimums, In<Id, dyn> ids) {
    require_equal(ids.extent(0), z.extent(0));
    require_equal(scales.extent(0), quants.extent(0));
    require_equal(minimums.extent(0), quants.extent(0));
    auto row = clamped_place(b, ids, quants.extent(0));
    auto quant = reshape(quants.load(tile<1, G, 32>, row, 0, 0), tile<1, 1, G, 32>);
    auto spread = [&](const In<f32, dyn, 2, G>& plane, int half) {
      return reshape(plane.load(tile<1, 1, G>, row, half, 0), tile<1, 1, G, 1>);
    };
    auto low = fma(cast<f32>(quant & 15), spread(scales, 0), spread(minimums, 0));
    auto high = fma(cast<f32>(quant >> 4), spread(scales, 1), spread(minimums, 1));
    z.store(cat<1>(low, high));
  });
}

}  // namespace tilewright::kernels
