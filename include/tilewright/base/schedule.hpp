// SPDX-License-Identifier: Apache-2.0
// How a kernel's blocks are laid out on a GPU: what kernel.with(persistent, num_ctas = 2, ...) collects. It changes how
// fast a kernel is and, with fast_math and deterministic alone, how results round. Zeros and -1 leave the choice to the
// compiler; devices of the host ignore it, but for the two at its end. Plain data: capture reaches this header.
#pragma once

#include <cstdint>

namespace tilewright {

inline constexpr int max_scheduled_parameters = 16;

// Loads and stores of one tensor parameter, or of all.
struct access_options {
  std::int8_t latency = 0;  // 1 to 10: how far ahead loads are started
  std::int8_t tma = -1;     // whether whole tiles may be copied by the copy engine: 0 no, 1 yes
  bool operator==(const access_options&) const = default;
};

struct schedule {
  bool persistent = false;          // as many blocks as fit the device walk over the grid
  std::int32_t swizzle = 0;         // blocks go in groups of so many rows, so that neighbours share what they read
  bool reversed = false;            // the last block first
  std::int32_t num_ctas = 0;        // thread blocks that work on one block together: 1, 2, 4, 8 or 16
  std::int32_t occupancy = 0;       // blocks that a multiprocessor has room for: 1 to 32
  std::int32_t workers = 0;         // warps that compute: 4 or 8
  std::int32_t epilogue_parts = 1;  // the result of a product is stored in so many parts: a power of two
  bool programmatic = false;        // starts before the kernel before it has ended, and waits for it inside
  bool fast_math = false;           // f32: products and sums contract; division, exp and exp2 are approximate
  bool deny_residual = false;       // on every device: a launch whose kernel would check bounds itself is refused
  bool deterministic = false;       // on every device: blocks that share a sum of floats add to it in their own order
  access_options all = {};          // for the parameters that `of` says nothing of
  // Spelled out: g++ 12 drops the default of -1 from the end of such an array when a constant is copied.
  access_options of[max_scheduled_parameters] = {{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}};
  bool operator==(const schedule&) const = default;

  // What holds for a parameter: its own words, else those for all.
  constexpr access_options access(int parameter) const {
    if (parameter >= max_scheduled_parameters) return all;
    const access_options& own = of[parameter];
    return {own.latency != 0 ? own.latency : all.latency, own.tma != -1 ? own.tma : all.tma};
  }
};

}  // namespace tilewright
