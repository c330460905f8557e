// SPDX-License-Identifier: Apache-2.0
// Block layouts: a scale (and a minimum) in f16, then the quantised elements. A 4-bit block holds elements 0-15 in
// the low halves of its 16 bytes and 16-31 in the high halves.
#include "grout/dequantize.hpp"

#include <cstring>
#include <string>

#include "tilewright/base/error.hpp"
#include "tilewright/base/float16.hpp"

namespace grout {
namespace {

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

float load_half(const std::byte* from) {
  return static_cast<float>(tilewright::f16::from_bits(load<std::uint16_t>(from)));
}

float load_bfloat(const std::byte* from) {
  return static_cast<float>(tilewright::bf16::from_bits(load<std::uint16_t>(from)));
}

void q4_0_block(const std::byte* block, float* out) {
  const float scale = load_half(block);
  for (int i = 0; i < 16; ++i) {
    const int pair = std::to_integer<int>(block[2 + i]);
    out[i] = scale * static_cast<float>((pair & 15) - 8);
    out[i + 16] = scale * static_cast<float>((pair >> 4) - 8);
  }
}

void q4_1_block(const std::byte* block, float* out) {
  const float scale = load_half(block);
  const float minimum = load_half(block + 2);
  for (int i = 0; i < 16; ++i) {
    const int pair = std::to_integer<int>(block[4 + i]);
    // scale * q is exact in f32, so it does not matter whether the compiler fuses the addition.
    out[i] = scale * static_cast<float>(pair & 15) + minimum;
    out[i + 16] = scale * static_cast<float>(pair >> 4) + minimum;
  }
}

void q8_0_block(const std::byte* block, float* out) {
  const float scale = load_half(block);
  for (int i = 0; i < 32; ++i) out[i] = scale * static_cast<float>(load<std::int8_t>(block + 2 + i));
}

using BlockFunction = void (*)(const std::byte*, float*);

BlockFunction find_function(GgmlType type) noexcept {
  switch (type) {
    case GgmlType::f32:
      return [](const std::byte* block, float* out) { *out = load<float>(block); };
    case GgmlType::f16:
      return [](const std::byte* block, float* out) { *out = load_half(block); };
    case GgmlType::bf16:
      return [](const std::byte* block, float* out) { *out = load_bfloat(block); };
    case GgmlType::q4_0:
      return q4_0_block;
    case GgmlType::q4_1:
      return q4_1_block;
    case GgmlType::q8_0:
      return q8_0_block;
    default:
      return nullptr;
  }
}

}  // namespace

bool can_dequantize(GgmlType type) noexcept { return find_function(type) != nullptr; }

void dequantize(GgmlType type, std::span<const std::byte> blocks, std::span<float> out) {
  const GgmlBlock block = ggml_block(type);
  const auto function = find_function(type);
  if (function == nullptr) {
    throw tilewright::usage_error({.what = "no conversion of this tensor type to f32",
                                   .where = "dequantize",
                                   .expected = "F32, F16, BF16, Q4_0, Q4_1 or Q8_0",
                                   .got = std::string(block.name),
                                   .fix = "use a model file in one of these types"});
  }
  const auto elements = static_cast<std::size_t>(block.elements);
  const auto size_bytes = static_cast<std::size_t>(block.size_bytes);
  const std::size_t count = blocks.size() / size_bytes;
  if (blocks.size() % size_bytes != 0 || out.size() != count * elements) {
    throw tilewright::usage_error(
        {.what = "sizes do not belong together",
         .where = "dequantize",
         .expected = std::to_string(size_bytes) + " bytes of " + std::string(block.name) + " for each " +
                     std::to_string(elements) + " elements",
         .got = std::to_string(blocks.size()) + " bytes and " + std::to_string(out.size()) + " elements",
         .fix = "pass whole rows"});
  }
  for (std::size_t i = 0; i < count; ++i) function(blocks.data() + i * size_bytes, out.data() + i * elements);
}

std::vector<float> dequantize_row(const GgufTensor& tensor, std::int64_t row) {
  if (row < 0 || row >= tensor.rows()) {
    throw tilewright::usage_error({.what = "row outside the tensor",
                                   .where = "tensor '" + std::string(tensor.name) + "'",
                                   .expected = "0 to " + std::to_string(tensor.rows() - 1),
                                   .got = std::to_string(row),
                                   .fix = "check the row against rows()"});
  }
  const auto row_bytes = static_cast<std::size_t>(tensor.row_bytes());
  std::vector<float> result(static_cast<std::size_t>(tensor.row_elements()));
  dequantize(tensor.block.type, tensor.data.subspan(static_cast<std::size_t>(row) * row_bytes, row_bytes), result);
  return result;
}

}  // namespace grout
