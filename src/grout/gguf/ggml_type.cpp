// SPDX-License-Identifier: Apache-2.0
// The table of block sizes.
#include "grout/ggml_type.hpp"

#include <array>

#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using enum GgmlType;

constexpr std::array blocks{
    GgmlBlock{f32, "F32", 1, 4},
    GgmlBlock{f16, "F16", 1, 2},
    GgmlBlock{q4_0, "Q4_0", 32, 18},
    GgmlBlock{q4_1, "Q4_1", 32, 20},
    GgmlBlock{q5_0, "Q5_0", 32, 22},
    GgmlBlock{q5_1, "Q5_1", 32, 24},
    GgmlBlock{q8_0, "Q8_0", 32, 34},
    GgmlBlock{q8_1, "Q8_1", 32, 36},
    GgmlBlock{q2_k, "Q2_K", 256, 84},
    GgmlBlock{q3_k, "Q3_K", 256, 110},
    GgmlBlock{q4_k, "Q4_K", 256, 144},
    GgmlBlock{q5_k, "Q5_K", 256, 176},
    GgmlBlock{q6_k, "Q6_K", 256, 210},
    GgmlBlock{q8_k, "Q8_K", 256, 292},
    GgmlBlock{iq2_xxs, "IQ2_XXS", 256, 66},
    GgmlBlock{iq2_xs, "IQ2_XS", 256, 74},
    GgmlBlock{iq3_xxs, "IQ3_XXS", 256, 98},
    GgmlBlock{iq1_s, "IQ1_S", 256, 50},
    GgmlBlock{iq4_nl, "IQ4_NL", 32, 18},
    GgmlBlock{iq3_s, "IQ3_S", 256, 110},
    GgmlBlock{iq2_s, "IQ2_S", 256, 82},
    GgmlBlock{iq4_xs, "IQ4_XS", 256, 136},
    GgmlBlock{i8, "I8", 1, 1},
    GgmlBlock{i16, "I16", 1, 2},
    GgmlBlock{i32, "I32", 1, 4},
    GgmlBlock{i64, "I64", 1, 8},
    GgmlBlock{f64, "F64", 1, 8},
    GgmlBlock{iq1_m, "IQ1_M", 256, 56},
    GgmlBlock{bf16, "BF16", 1, 2},
    GgmlBlock{tq1_0, "TQ1_0", 256, 54},
    GgmlBlock{tq2_0, "TQ2_0", 256, 66},
    GgmlBlock{mxfp4, "MXFP4", 32, 17},
    GgmlBlock{nvfp4, "NVFP4", 64, 36},
    GgmlBlock{q1_0, "Q1_0", 128, 18},
};

}  // namespace

std::optional<GgmlBlock> find_ggml_block(std::uint32_t type_id) noexcept {
  for (const GgmlBlock& block : blocks) {
    if (static_cast<std::uint32_t>(block.type) == type_id) return block;
  }
  return std::nullopt;
}

GgmlBlock ggml_block(GgmlType type) {
  const auto block = find_ggml_block(static_cast<std::uint32_t>(type));
  tilewright::require_internal(block.has_value(), "a GgmlType outside its table");
  return *block;
}

}  // namespace grout
