// SPDX-License-Identifier: Apache-2.0
// Which pieces, Dims and schedules make kernels of the library fast on an H200: the best of about 1,400 that were
// measured there (Tile IR assembler 13.4, driver 580, against cuBLAS, cuDNN and PyTorch 2.11). Other GPUs take them
// too, untuned; devices of the host ignore the schedule. fast_math, where it is set, changes how f32 rounds (see
// docs/architecture.md).
//   auto best = on_h200::gemm<f16>(m, n);
//   best.kernel(std::move(z).partition({best.rows, best.columns}), x, y)
#pragma once

#include "tilewright/kernels/attention.hpp"
#include "tilewright/kernels/attention_group.hpp"
#include "tilewright/kernels/dense_product.hpp"
#include "tilewright/kernels/elementwise.hpp"
#include "tilewright/kernels/gemm.hpp"
#include "tilewright/kernels/normalization.hpp"

namespace tilewright::kernels::on_h200 {

// A kernel and the piece of its output that a block makes: [rows, columns], or [columns] where the output has one axis.
template <class Kernel>
struct scheduled {
  Kernel kernel;
  index_t rows = 1, columns = 1;
};
template <class Kernel>
scheduled(Kernel, index_t, index_t) -> scheduled<Kernel>;

constexpr index_t multiprocessors = 132;
constexpr int all_rows = 1 << 30;  // swizzle(all_rows): rows of blocks are the fastest axis

constexpr index_t tiles(index_t extent, index_t tile) { return (extent + tile - 1) / tile; }

// ---- Products -------------------------------------------------------------------------------------------------------
// z [rows, columns]. Two thread blocks share a block of many large ones; a few that fit at once need no loop.
template <class T, class Z = T>
constexpr auto gemm(index_t rows, index_t columns) {
  constexpr auto plain = kernels::gemm<T, Z>();
  constexpr index_t many = multiprocessors;  // two for each pair of them
  if (tiles(rows, 256) * tiles(columns, 256) >= many) {
    return scheduled{plain.with(BK = 64, workers = 8, num_ctas = 2, occupancy = 1, latency = 4, swizzle(8), persistent,
                                split_epilogue(2)),
                     256, 256};
  }
  const index_t blocks = tiles(rows, 128) * tiles(columns, 256);
  if (blocks > multiprocessors) {
    return scheduled{plain.with(BK = 32, workers = 8, occupancy = 1, latency = 6, swizzle(16), persistent), 128, 256};
  }
  if (2 * blocks > multiprocessors) {
    return scheduled{plain.with(BK = 32, workers = 8, occupancy = 1, latency = 4, swizzle(16)), 128, 256};
  }
  return scheduled{plain.with(BK = 64, workers = 4, occupancy = 1, latency = 4, swizzle(8)), 64, 128};
}

// z [few rows, columns] from 16-bit weights [columns, depth] read once. Pieces of 64 columns must fill the device; else
// dense_row, for one row.
constexpr bool fills_device(index_t columns) { return tiles(columns, 64) >= multiprocessors / 2; }

template <class T, class Z = T>
constexpr auto dense(index_t columns) {
  constexpr auto plain = kernels::dense<T, Z>();
  if (columns > 100'000) return scheduled{plain.with(BK = 512, occupancy = 1), 8, 64};
  if (columns > 40'000 || columns < 10'000) return scheduled{plain.with(BK = 256, occupancy = 2), 8, 64};
  return scheduled{plain.with(BK = 128, occupancy = 4), 8, 64};
}

template <class T, class Z = T>
constexpr auto dense_row() {
  return scheduled{kernels::dense_row<T, Z>().with(BK = 1024, occupancy = 4, workers = 4, tma = false, fast_math), 1,
                   4};
}

// ---- Attention, heads of 128 ----------------------------------------------------------------------------------------
// Longest rows first; neighbours share a head's keys.
template <class T>
constexpr auto attention() {
  return scheduled{kernels::attention<T>().with(BN = 128, workers = 4, occupancy = 2, latency(2) = 2, latency(3) = 4,
                                                swizzle(all_rows), reversed, fast_math),
                   64, 128};
}

template <class T>
constexpr auto attention_full() {
  return scheduled{kernels::attention_full<T>().with(BN = 128, workers = 8, occupancy = 1, latency(2) = 3,
                                                     latency(3) = 4, swizzle(all_rows), fast_math),
                   128, 128};
}

// Decode: 8 query heads a key head; more keys a step where there are few.
template <class T>
constexpr auto attention_group(index_t keys) {
  constexpr auto plain = kernels::attention_group<T>().with(workers = 4, occupancy = 1, fast_math);
  return keys < 16'384 ? plain.with(BN = 256, GROUP = 8) : plain.with(BN = 128, GROUP = 8);
}

// ---- Rows of memory -------------------------------------------------------------------------------------------------
template <class T>
constexpr auto add() {
  return scheduled{kernels::add<T, BN>().with(workers = 4, tma = false), 1, 2048};
}

// Short rows: several a block. From 4096 columns on, softmax_twice.
template <class T>
constexpr auto softmax(index_t columns) {
  const index_t rows = columns <= 1024 ? 8 : columns <= 2048 ? 2 : 1;
  return scheduled{kernels::softmax<T>().with(workers = 4, occupancy = 4, tma = false, fast_math), rows, columns};
}

template <class T>
constexpr auto softmax_twice(index_t columns) {
  constexpr auto plain = kernels::softmax_twice<T>().with(workers = 4, occupancy = 4, tma = false, fast_math);
  return scheduled{columns > 8192 ? plain.with(occupancy = 3) : plain, 1, columns};
}

template <class T>
constexpr auto rms_norm(index_t columns) {
  constexpr auto plain = kernels::rms_norm<T>().with(fast_math);
  if (columns < 4096) {
    return scheduled{plain.with(occupancy = 2, tma = false), columns <= 1024 ? 4 : columns <= 2048 ? 2 : 1, columns};
  }
  if (columns <= 8192) {
    return scheduled{plain.with(workers = 4, occupancy = 4, tma(0) = false, tma(2) = false, persistent), 1, columns};
  }
  return scheduled{plain.with(workers = 8, occupancy = 1, tma(2) = false, persistent), 1, columns};
}

}  // namespace tilewright::kernels::on_h200
