// SPDX-License-Identifier: Apache-2.0
// The plain C++ loops that element-wise kernels are compared with, compiled for this machine with -O3. One thread's
// part each.
#pragma once

#include <cstddef>

namespace tilewright::bench {

void plain_copy(float* z, const float* x, std::size_t count);
void plain_add(float* z, const float* x, const float* y, std::size_t count);
void plain_saxpy(float* z, float a, const float* x, const float* y, std::size_t count);

}  // namespace tilewright::bench
