// SPDX-License-Identifier: Apache-2.0
// Turns stored tensor rows into f32, one element after the other: the plain reference that kernels are tested against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "grout/gguf.hpp"
#include "tilewright/base/config.hpp"

namespace grout {

// True for F32, F16, BF16, Q4_0, Q4_1 and Q8_0.
TILEWRIGHT_API bool can_dequantize(GgmlType type) noexcept;

// Writes the elements of `blocks` to `out`. Exact but for Q4_1, whose scale * q + minimum is rounded once to f32.
// usage_error if the type is not one of those above, or the sizes do not belong together.
TILEWRIGHT_API void dequantize(GgmlType type, std::span<const std::byte> blocks, std::span<float> out);

// One row of a tensor, counted over all its axes but the fastest.
TILEWRIGHT_API std::vector<float> dequantize_row(const GgufTensor& tensor, std::int64_t row);

}  // namespace grout
