// SPDX-License-Identifier: Apache-2.0
// The angles of rotary position embedding as tables, computed in f64 on the host: f32 arithmetic on the device would be
// off by 1e-3 rad at position 8192, a table read is exact and costs one row a token.
#pragma once

#include <vector>

#include "tilewright/base/config.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::kernels {

// [positions, pairs] each, rounded once to f32. Pair i of a head of `head_size` turns by
// position * base^(-2i / head_size).
struct rotary_tables {
  index_t positions = 0;
  index_t pairs = 0;
  std::vector<f32> cosines;
  std::vector<f32> sines;
};

// Throws usage_error: positions negative, head size not a positive even number, base not above 0.
TILEWRIGHT_API rotary_tables make_rotary_tables(index_t positions, index_t head_size, double base);

}  // namespace tilewright::kernels
