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

// Table in Q8_0 planes (quantized.hpp): quants [rows, K], scales [rows, G], K = 32 G; z in pieces [1, K]. Ids may be
// i64, which is what argmax gives.
template <class Id = i32>
constexpr auto embedding_q8_0() {
  return kernel<"embedding_q8_0">(
      [](Block b, Out<f32, 1, K> z, In<i8, dyn, K> quants, In<f32, dyn, G> scales, In<Id, dyn> ids) {
        require_equal(ids.extent(0), z.extent(0));
        require_equal(scales.extent(0), quants.extent(0));
        auto row = clamped_row(b, ids, quants.extent(0));
        auto quant = reshape(cast<f32>(quants.gather_rows(row, tile<1, K>, 0)), tile<1, G, 32>);
        auto scale = reshape(scales.gather_rows(row, tile<1, G>, 0), tile<1, G, 1>);
        z.store(reshape(quant * scale, tile<1, K>));
      });
}

// Table in 4-bit planes with their groups joined: quants [rows, HALF], scales and minimums [rows, 2 G]; HALF = 32 G,
// K = 2 HALF; z in pieces [1, K]. G by `.with`.
template <class Id = i32>
constexpr auto embedding_q4() {
  return kernel<"embedding_q4">([](Block b, Out<f32, 1, K> z, In<u8, dyn, HALF> quants, In<f32, dyn, dyn> scales,
                                   In<f32, dyn, dyn> minimums, In<Id, dyn> ids) {
    auto row = clamped_row(b, ids, quants.extent(0));
    auto spread = [&](const auto& plane) { return reshape(plane, tile<1, G, 1>); };
    auto quant = reshape(quants.gather_rows(row, tile<1, HALF>, 0), tile<1, G, 32>);
    auto low = fma(cast<f32>(quant & 15), spread(scales.gather_rows(row, tile<1, G>, 0)),
                   spread(minimums.gather_rows(row, tile<1, G>, 0)));
    auto high = fma(cast<f32>(quant >> 4), spread(scales.gather_rows(row, tile<1, G>, 1)),
                    spread(minimums.gather_rows(row, tile<1, G>, 1)));
    z.store(cat<1>(reshape(low, tile<1, HALF>), reshape(high, tile<1, HALF>), tile<1, K>));
  });
}

}  // namespace tilewright::kernels
