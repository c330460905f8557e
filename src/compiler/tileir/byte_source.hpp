// SPDX-License-Identifier: Apache-2.0
// Bytes of a Tile IR file that nobody has checked yet: every step forward looks where the bytes end. Each part knows
// its place in the file, for messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {

class byte_source {
 public:
  byte_source(std::string_view bytes, std::size_t offset) : left_(bytes), offset_(offset) {}

  std::size_t offset() const { return offset_; }  // of the next byte, in the file
  std::size_t left() const { return left_.size(); }
  bool at_end() const { return left_.empty(); }

  // Throws io_error naming the place of the next byte.
  [[noreturn]] void refuse(const std::string& what, const std::string& expected = {},
                           const std::string& got = {}) const;
  void require(bool condition, const char* what) const {
    if (!condition) refuse(what);
  }

  std::uint8_t byte();
  std::uint64_t varint();
  std::int64_t svarint();
  std::uint64_t fixed(int width);
  std::int64_t signed_fixed(int width);
  byte_source part(std::uint64_t size);  // and steps over it
  void align(std::size_t alignment);     // of the place in the file

  std::uint32_t id(std::size_t count, const char* of_what);              // below `count`
  std::uint64_t below(std::uint64_t limit, const char* of_what);         // a varint below `limit`
  std::size_t count(std::size_t least_bytes_each, const char* of_what);  // of items that must still fit
  template <class Number>
  std::vector<Number> list(int width, const char* of_what) {
    std::vector<Number> numbers(count(static_cast<std::size_t>(width), of_what));
    for (Number& number : numbers) number = static_cast<Number>(signed_fixed(width));
    return numbers;
  }
  std::uint64_t bit_pattern(int width);
  std::vector<byte_source> table(int width, const char* of_what);

  void require_end(const char* of_what) const;

 private:
  std::string_view left_;
  std::size_t offset_;
};

}  // namespace tilewright::compiler::tileir
