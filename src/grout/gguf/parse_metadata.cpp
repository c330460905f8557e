// SPDX-License-Identifier: Apache-2.0
// Reads header and key/value list. Counts are compared with the bytes left before anything loops over them.
#include "grout/gguf/parse_metadata.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace grout {
namespace {

constexpr std::uint64_t least_value_bytes = 8 + 4 + 1;  // key length, type, one byte of value
constexpr std::uint64_t least_tensor_bytes = 8 + 4 + 8 + 4 + 8;
constexpr std::uint64_t longest_key = 65535;  // the specification's limit
constexpr int deepest_array = 4;              // arrays of arrays; no known writer goes past 2

struct ValueKind {
  const char* name;
  std::uint64_t size_bytes;
};

constexpr std::array<ValueKind, 13> kinds{{{"u8", 1},
                                           {"i8", 1},
                                           {"u16", 2},
                                           {"i16", 2},
                                           {"u32", 4},
                                           {"i32", 4},
                                           {"f32", 4},
                                           {"bool", 1},
                                           {"string", 0},
                                           {"array", 0},
                                           {"u64", 8},
                                           {"i64", 8},
                                           {"f64", 8}}};

// What people pass by mistake, told from its first bytes.
std::string guess_format(std::string_view head) {
  if (head.starts_with("version https://git-lfs")) return "a Git LFS pointer, not the file it stands for";
  if (head.starts_with("<!") || head.starts_with("<html")) return "a web page, as a failed download leaves it";
  if (head.starts_with("PK\x03\x04")) return "a zip archive (a Python wheel?), to be unpacked first";
  if (head.starts_with("lmgg") || head.starts_with("tjgg") || head.starts_with("fmgg"))
    return "a GGML file older than GGUF";
  if (head.size() > 8 && head[8] == '{') return "a safetensors file";
  return "'" + printable(head.substr(0, 4)) + "'";
}

GgufValueType read_type(ByteReader& reader) {
  const auto type = reader.read<std::uint32_t>("a value type");
  if (type >= kinds.size()) {
    reader.fail("unknown type of a value", "a type from 0 (u8) to 12 (f64)", std::to_string(type), fix_damaged);
  }
  return static_cast<GgufValueType>(type);
}

void check_count(const ByteReader& reader, std::uint64_t count, std::uint64_t least_bytes, const char* what) {
  const std::uint64_t most = reader.remaining() / least_bytes;
  if (count <= most) return;
  reader.fail(std::string("the file is too small for its ") + what,
              "at most " + std::to_string(most) + " in the " + std::to_string(reader.remaining()) + " bytes left",
              std::to_string(count), fix_damaged);
}

void check_booleans(const ByteReader& reader, std::string_view values) {
  const auto wrong = std::find_if(values.begin(), values.end(), [](char byte) { return byte != 0 && byte != 1; });
  if (wrong == values.end()) return;
  reader.fail("not a boolean", "0 or 1", std::to_string(static_cast<unsigned char>(*wrong)), fix_damaged);
}

void skip_elements(ByteReader& reader, GgufValueType type, std::uint64_t count, int depth);

void skip_array(ByteReader& reader, int depth) {
  if (depth > deepest_array) {
    reader.fail("arrays are nested too deep", "at most " + std::to_string(deepest_array) + " levels", "more",
                fix_writer);
  }
  const auto type = read_type(reader);
  const auto count = reader.read<std::uint64_t>("an array length");
  skip_elements(reader, type, count, depth);
}

void skip_elements(ByteReader& reader, GgufValueType type, std::uint64_t count, int depth) {
  if (type == GgufValueType::string) {
    check_count(reader, count, 8, "array of strings");
    for (std::uint64_t i = 0; i < count; ++i) reader.read_string("a string");
  } else if (type == GgufValueType::array) {
    check_count(reader, count, 12, "array of arrays");
    for (std::uint64_t i = 0; i < count; ++i) skip_array(reader, depth + 1);
  } else {
    check_count(reader, count, element_bytes(type), "array");
    const auto values = reader.take(count * element_bytes(type), "a value");
    if (type == GgufValueType::boolean) check_booleans(reader, values);
  }
}

GgufValue parse_value(ByteReader& reader) {
  GgufValue value;
  value.element = read_type(reader);
  value.is_array = value.element == GgufValueType::array;
  if (value.is_array) {
    value.element = read_type(reader);
    value.count = reader.read<std::uint64_t>("an array length");
  }
  const std::uint64_t begin = reader.offset();
  skip_elements(reader, value.element, value.count, 1);
  value.payload = reader.bytes_from(begin);
  return value;
}

std::string_view parse_key(ByteReader& reader) {
  reader.subject("key list", {});
  const auto key = reader.read_string("a key");
  if (key.empty() || key.size() > longest_key) {
    reader.fail("a key of wrong length", "1 to " + std::to_string(longest_key) + " bytes",
                std::to_string(key.size()) + " bytes", fix_damaged);
  }
  reader.subject("key", key);
  return key;
}

}  // namespace

std::uint64_t element_bytes(GgufValueType type) { return kinds[static_cast<std::size_t>(type)].size_bytes; }

const char* type_name(GgufValueType type) { return kinds[static_cast<std::size_t>(type)].name; }

GgufHeader parse_header(ByteReader& reader) {
  reader.subject("header", {});
  const std::uint64_t head_bytes = std::min<std::uint64_t>(reader.size(), 32);
  ByteReader peek = reader;
  const std::string_view text = peek.take(head_bytes, "the header");
  if (!text.starts_with("GGUF")) {
    reader.fail("not a GGUF file", "the letters 'GGUF' first", text.empty() ? "an empty file" : guess_format(text),
                "give the path of a .gguf model file");
  }
  reader.take(4, "the magic number");
  GgufHeader header{};
  header.version = reader.read<std::uint32_t>("the version");
  if (header.version != 2 && header.version != 3) {
    const bool swapped = header.version != 0 && (header.version & 0xffffff) == 0;
    reader.fail("unsupported GGUF version", "2 or 3, little-endian",
                swapped ? "a big-endian file" : std::to_string(header.version),
                "convert the model with a current tool");
  }
  header.tensor_count = reader.read<std::uint64_t>("the tensor count");
  header.value_count = reader.read<std::uint64_t>("the count of values");
  check_count(reader, header.tensor_count, least_tensor_bytes, "count of tensors");
  check_count(reader, header.value_count, least_value_bytes, "count of values");
  return header;
}

GgufMetadata::Map parse_values(ByteReader& reader, std::uint64_t count) {
  GgufMetadata::Map values;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto key = parse_key(reader);
    const auto value = parse_value(reader);
    if (!values.try_emplace(key, value).second) {
      reader.fail("duplicate key", "each key once", "a second one", fix_writer);
    }
  }
  return values;
}

}  // namespace grout
