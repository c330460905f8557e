// SPDX-License-Identifier: Apache-2.0
// The third part of a GGUF file, checked: the tensor table and the ranges of bytes it points to.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "grout/gguf.hpp"
#include "grout/gguf/byte_reader.hpp"

namespace grout {

// Reads `count` entries and resolves each one's data inside `file`; `alignment` is a power of two.
std::vector<GgufTensor> parse_tensors(ByteReader& reader, std::uint64_t count, std::uint64_t alignment,
                                      std::string_view file);

}  // namespace grout
