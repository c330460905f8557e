// SPDX-License-Identifier: Apache-2.0
// Typed getters over values that were checked while parsing: here only presence, type and range can be wrong.
#include "grout/gguf_metadata.hpp"

#include <cstring>
#include <optional>
#include <utility>

#include "grout/gguf/byte_reader.hpp"
#include "grout/gguf/parse_metadata.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

constexpr const char* fix_model = "use a model of a supported family, or convert it again with a current tool";

[[noreturn]] void fail(const std::string& file, std::string_view key, std::string what, std::string expected,
                       std::string got) {
  throw tilewright::io_error({.what = std::move(what),
                              .where = "file " + file + ", key '" + printable(key) + "'",
                              .expected = std::move(expected),
                              .got = std::move(got),
                              .fix = fix_model});
}

std::string describe(const GgufValue& value) {
  const std::string element = type_name(value.element);
  return value.is_array ? "an array of " + std::to_string(value.count) + " " + element : element;
}

bool is_integer(GgufValueType type) {
  using enum GgufValueType;
  return type != f32 && type != f64 && type != boolean && type != string && type != array;
}

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

// Nothing for a u64 above the largest i64.
std::optional<std::int64_t> load_integer(GgufValueType type, const char* from) {
  using enum GgufValueType;
  switch (type) {
    case u8:
      return load<std::uint8_t>(from);
    case i8:
      return load<std::int8_t>(from);
    case u16:
      return load<std::uint16_t>(from);
    case i16:
      return load<std::int16_t>(from);
    case u32:
      return load<std::uint32_t>(from);
    case i32:
      return load<std::int32_t>(from);
    case i64:
      return load<std::int64_t>(from);
    default:
      break;
  }
  const auto value = load<std::uint64_t>(from);
  if (!std::in_range<std::int64_t>(value)) return std::nullopt;
  return static_cast<std::int64_t>(value);
}

double load_real(GgufValueType type, const char* from) {
  return type == GgufValueType::f32 ? static_cast<double>(load<float>(from)) : load<double>(from);
}

struct Wanted {
  const char* name;
  bool is_array;
  bool (*accepts)(GgufValueType);
};

constexpr bool is_boolean(GgufValueType type) { return type == GgufValueType::boolean; }
constexpr bool is_real(GgufValueType type) { return type == GgufValueType::f32 || type == GgufValueType::f64; }
constexpr bool is_string(GgufValueType type) { return type == GgufValueType::string; }

// A metadata object together with the name its messages use.
struct Source {
  const std::string& file;
  const GgufMetadata::Map& values;

  const GgufValue& find(std::string_view key, const Wanted& wanted) const {
    const auto entry = values.find(key);
    if (entry == values.end()) fail(file, key, "a key is missing", wanted.name, "no such key");
    const GgufValue& value = entry->second;
    if (value.is_array != wanted.is_array || !wanted.accepts(value.element)) {
      fail(file, key, "a key has the wrong type", wanted.name, describe(value));
    }
    return value;
  }

  std::int64_t integer(std::string_view key, const GgufValue& value, std::uint64_t index, IntegerRange range) const {
    const auto* from = value.payload.data() + index * element_bytes(value.element);
    const auto result = load_integer(value.element, from);
    if (result && *result >= range.least && *result <= range.most) return *result;
    fail(file, key, "a value is out of range",
         "an integer from " + std::to_string(range.least) + " to " + std::to_string(range.most),
         (result ? std::to_string(*result) : std::to_string(load<std::uint64_t>(from))) +
             (value.is_array ? " at index " + std::to_string(index) : ""));
  }
};

}  // namespace

bool GgufMetadata::boolean(std::string_view key) const {
  const auto& value = Source{file_, values_}.find(key, {"a boolean", false, is_boolean});
  return value.payload.front() != 0;
}

std::int64_t GgufMetadata::integer(std::string_view key, IntegerRange range) const {
  const Source source{file_, values_};
  return source.integer(key, source.find(key, {"an integer", false, is_integer}), 0, range);
}

double GgufMetadata::real(std::string_view key) const {
  const auto& value = Source{file_, values_}.find(key, {"a real number", false, is_real});
  return load_real(value.element, value.payload.data());
}

std::string_view GgufMetadata::string(std::string_view key) const {
  const auto& value = Source{file_, values_}.find(key, {"a string", false, is_string});
  return ByteReader(value.payload, file_).read_string("a string");
}

std::vector<std::int64_t> GgufMetadata::integers(std::string_view key, IntegerRange range) const {
  const Source source{file_, values_};
  const auto& value = source.find(key, {"an array of integers", true, is_integer});
  std::vector<std::int64_t> result(value.count);
  for (std::uint64_t i = 0; i < value.count; ++i) result[i] = source.integer(key, value, i, range);
  return result;
}

std::vector<double> GgufMetadata::reals(std::string_view key) const {
  const auto& value = Source{file_, values_}.find(key, {"an array of real numbers", true, is_real});
  std::vector<double> result(value.count);
  for (std::uint64_t i = 0; i < value.count; ++i) {
    result[i] = load_real(value.element, value.payload.data() + i * element_bytes(value.element));
  }
  return result;
}

std::vector<std::string_view> GgufMetadata::strings(std::string_view key) const {
  const auto& value = Source{file_, values_}.find(key, {"an array of strings", true, is_string});
  ByteReader reader(value.payload, file_);
  std::vector<std::string_view> result(value.count);
  for (auto& text : result) text = reader.read_string("a string");
  return result;
}

}  // namespace grout
