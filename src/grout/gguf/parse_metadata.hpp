// SPDX-License-Identifier: Apache-2.0
// The first two parts of a GGUF file, checked: its header and its key/value list.
#pragma once

#include <cstdint>

#include "grout/gguf/byte_reader.hpp"
#include "grout/gguf_metadata.hpp"

namespace grout {

struct GgufHeader {
  std::uint32_t version;
  std::uint64_t tensor_count;
  std::uint64_t value_count;
};

GgufHeader parse_header(ByteReader& reader);
GgufMetadata::Map parse_values(ByteReader& reader, std::uint64_t count);

// Bytes of one element, 0 for strings and arrays, whose size is in the file.
std::uint64_t element_bytes(GgufValueType type);
const char* type_name(GgufValueType type);

}  // namespace grout
