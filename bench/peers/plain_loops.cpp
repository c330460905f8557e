// SPDX-License-Identifier: Apache-2.0
#include "peers/plain_loops.hpp"

namespace tilewright::bench {

// Times a number that is 1 at run time only: a loop that copies would become a call of memcpy.
static volatile float unit_factor = 1.0f;

void plain_copy(float* __restrict z, const float* __restrict x, std::size_t count) {
  const float factor = unit_factor;
  for (std::size_t i = 0; i < count; ++i) z[i] = x[i] * factor;
}

void plain_add(float* __restrict z, const float* __restrict x, const float* __restrict y, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) z[i] = x[i] + y[i];
}

void plain_saxpy(float* __restrict z, float a, const float* __restrict x, const float* __restrict y,
                 std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) z[i] = a * x[i] + y[i];
}

}  // namespace tilewright::bench
