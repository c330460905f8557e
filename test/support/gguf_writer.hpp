// SPDX-License-Identifier: Apache-2.0
// Builds GGUF files in memory for tests, right or deliberately wrong: it checks nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "grout/gguf_metadata.hpp"

namespace test_support {

class GgufWriter {
 public:
  GgufWriter() {
    raw("GGUF");
    number(std::uint32_t{3});
  }

  GgufWriter& counts(std::uint64_t tensors, std::uint64_t values) { return number(tensors).number(values); }
  GgufWriter& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }
  template <class T>
  GgufWriter& number(T value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>);
    char buffer[sizeof(T)];
    std::memcpy(buffer, &value, sizeof(T));
    return raw({buffer, sizeof(T)});
  }
  GgufWriter& text(std::string_view value) { return number(std::uint64_t{value.size()}).raw(value); }

  template <class T>
  GgufWriter& value(std::string_view key, grout::GgufValueType type, T content) {
    return text(key).number(type).number(content);
  }
  GgufWriter& value(std::string_view key, std::string_view content) {
    return text(key).number(grout::GgufValueType::string).text(content);
  }
  GgufWriter& array(std::string_view key, grout::GgufValueType element, std::uint64_t count) {
    return text(key).number(grout::GgufValueType::array).number(element).number(count);
  }
  GgufWriter& array(std::string_view key, std::span<const std::string> strings) {
    array(key, grout::GgufValueType::string, strings.size());
    for (const auto& entry : strings) text(entry);
    return *this;
  }
  GgufWriter& tensor(std::string_view name, const std::vector<std::uint64_t>& extents, std::uint32_t type,
                     std::uint64_t offset) {
    text(name).number(static_cast<std::uint32_t>(extents.size()));
    for (const auto extent : extents) number(extent);
    return number(type).number(offset);
  }
  GgufWriter& align(std::size_t alignment = 32) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment, '\0');
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

inline std::span<const std::byte> as_bytes(std::string_view text) { return std::as_bytes(std::span(text)); }

}  // namespace test_support
