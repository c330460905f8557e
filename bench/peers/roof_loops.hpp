// SPDX-License-Identifier: Apache-2.0
// Loops that do nothing but reach a limit of the machine. One thread's part each, compiled for this machine.
#pragma once

#include <cstddef>

namespace tilewright::bench {

// Multiply-adds in registers only; returns the operations done. `sink` keeps the compiler from dropping them.
double multiply_add_loop(long rounds, float& sink);

float read_loop(const float* x, std::size_t count);

// Past the caches: stores that do not read the line they fill, where the processor has them. `count` is a multiple of
// 16, all pointers are 64-byte aligned.
void streaming_copy(float* z, const float* x, std::size_t count);
void streaming_add(float* z, const float* x, const float* y, std::size_t count);

}  // namespace tilewright::bench
