// SPDX-License-Identifier: Apache-2.0
// The element types a GGUF tensor may have, and how many bytes a block of each takes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tilewright/base/config.hpp"

namespace grout {

// Values are the ids in the file. A gap is an id that was never given out or was withdrawn.
enum class GgmlType : std::uint32_t {
  f32 = 0,
  f16 = 1,
  q4_0 = 2,
  q4_1 = 3,
  q5_0 = 6,
  q5_1 = 7,
  q8_0 = 8,
  q8_1 = 9,
  q2_k = 10,
  q3_k = 11,
  q4_k = 12,
  q5_k = 13,
  q6_k = 14,
  q8_k = 15,
  iq2_xxs = 16,
  iq2_xs = 17,
  iq3_xxs = 18,
  iq1_s = 19,
  iq4_nl = 20,
  iq3_s = 21,
  iq2_s = 22,
  iq4_xs = 23,
  i8 = 24,
  i16 = 25,
  i32 = 26,
  i64 = 27,
  f64 = 28,
  iq1_m = 29,
  bf16 = 30,
  tq1_0 = 34,
  tq2_0 = 35,
  mxfp4 = 39,
  nvfp4 = 40,
  q1_0 = 41,
};

// A tensor row is a whole number of blocks; a plain type has blocks of one element.
struct GgmlBlock {
  GgmlType type;
  std::string_view name;  // "Q4_1"
  std::int64_t elements;
  std::int64_t size_bytes;
};

// Nothing for an id that is not in the list above.
TILEWRIGHT_API std::optional<GgmlBlock> find_ggml_block(std::uint32_t type_id) noexcept;

TILEWRIGHT_API GgmlBlock ggml_block(GgmlType type);

}  // namespace grout
