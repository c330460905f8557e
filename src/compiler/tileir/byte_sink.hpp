// SPDX-License-Identifier: Apache-2.0
// The primitive encodings of Tile IR bytecode (2.1, 2.3 of the format notes), appended to a string of bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::compiler::tileir {

class byte_sink {
 public:
  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }

  void byte(std::uint64_t value) { bytes_.push_back(static_cast<char>(value)); }
  void append(std::string_view other) { bytes_.append(other); }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte((value & 0x7f) | 0x80);
    byte(value);
  }
  void svarint(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void fixed(std::uint64_t value, int width) {
    for (int i = 0; i < width; ++i) byte(value >> (8 * i) & 0xff);
  }
  // A count, then each number in `width` bytes.
  template <class Number>
  void list(const std::vector<Number>& numbers, int width) {
    varint(numbers.size());
    for (const Number number : numbers) fixed(static_cast<std::uint64_t>(number), width);
  }
  void align(std::size_t alignment) {
    while (bytes_.size() % alignment != 0) byte(filler);
  }
  // Bits of a number of `width` bits. 64 bits are taken as signed first: the readers' rule.
  void bit_pattern(std::uint64_t bits, int width) {
    if (width <= 8)
      byte(bits);
    else
      svarint(static_cast<std::int64_t>(bits));
  }
  // A count, where each item starts (in `width` bytes each), then the items joined.
  void table(const std::vector<std::string>& items, int width) {
    varint(items.size());
    if (items.empty()) return;
    align(static_cast<std::size_t>(width));
    std::size_t start = 0;
    for (const std::string& item : items) {
      fixed(start, width);
      start += item.size();
    }
    for (const std::string& item : items) append(item);
  }

 private:
  static constexpr unsigned filler = 0xcb;
  std::string bytes_;
};

}  // namespace tilewright::compiler::tileir
