// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/byte_source.hpp"

namespace tilewright::compiler::tileir {

void byte_source::refuse(const std::string& what, const std::string& expected, const std::string& got) const {
  throw io_error({.what = what,
                  .where = "Tile IR bytecode, byte " + std::to_string(offset_),
                  .expected = expected,
                  .got = got,
                  .fix = "write the file again"});
}

std::uint8_t byte_source::byte() {
  require(!left_.empty(), "the bytes end too early");
  const auto value = static_cast<std::uint8_t>(left_[0]);
  left_.remove_prefix(1);
  ++offset_;
  return value;
}

std::uint64_t byte_source::varint() {
  const byte_source start = *this;
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const std::uint64_t next = byte();
    if (shift == 63 && next > 1) start.refuse("a number has more than 64 bits");
    value |= (next & 0x7f) << shift;
    if (next < 0x80) return value;
  }
  start.refuse("a number has more than 64 bits");
}

std::int64_t byte_source::svarint() {
  const std::uint64_t word = varint();
  return static_cast<std::int64_t>(word >> 1 ^ (0 - (word & 1)));
}

std::uint64_t byte_source::fixed(int width) {
  std::uint64_t value = 0;
  for (int i = 0; i < width; ++i) value |= static_cast<std::uint64_t>(byte()) << (8 * i);
  return value;
}

std::int64_t byte_source::signed_fixed(int width) {
  const int unused = 64 - 8 * width;
  return static_cast<std::int64_t>(fixed(width) << unused) >> unused;
}

byte_source byte_source::part(std::uint64_t size) {
  if (size > left_.size()) {
    refuse("a part is longer than what is left", "at most " + std::to_string(left_.size()) + " bytes",
           std::to_string(size));
  }
  const auto length = static_cast<std::size_t>(size);
  const byte_source result(left_.substr(0, length), offset_);
  left_.remove_prefix(length);
  offset_ += length;
  return result;
}

void byte_source::align(std::size_t alignment) {
  while (offset_ % alignment != 0) byte();
}

std::uint64_t byte_source::below(std::uint64_t limit, const char* of_what) {
  const byte_source start = *this;
  const std::uint64_t value = varint();
  if (value >= limit) {
    start.refuse(std::string("no such ") + of_what, "below " + std::to_string(limit), std::to_string(value));
  }
  return value;
}

std::uint32_t byte_source::id(std::size_t count, const char* of_what) {
  return static_cast<std::uint32_t>(below(count, of_what));
}

std::size_t byte_source::count(std::size_t least_bytes_each, const char* of_what) {
  const byte_source start = *this;
  const std::uint64_t value = varint();
  if (value > left_.size() / least_bytes_each) {
    start.refuse(std::string("more ") + of_what + " than bytes",
                 "at most " + std::to_string(left_.size() / least_bytes_each), std::to_string(value));
  }
  return static_cast<std::size_t>(value);
}

std::uint64_t byte_source::bit_pattern(int width) {
  if (width <= 8) return byte();
  const byte_source start = *this;
  const auto bits = static_cast<std::uint64_t>(svarint());
  if (width < 64 && bits >> width != 0) start.refuse("a number does not fit " + std::to_string(width) + " bits");
  return bits;
}

std::vector<byte_source> byte_source::table(int width, const char* of_what) {
  const std::size_t items = count(1, of_what);
  if (items == 0) return {};
  align(static_cast<std::size_t>(width));
  require(items <= left_.size() / static_cast<std::size_t>(width), "a table is longer than its section");
  byte_source starts = part(items * static_cast<std::size_t>(width));
  std::vector<byte_source> result;
  std::uint64_t from = starts.fixed(width);
  starts.require(from == 0, "a table's first item does not start at 0");
  for (std::size_t i = 1; i < items; ++i) {
    const std::uint64_t to = starts.fixed(width);
    starts.require(to >= from, "a table's items are not in order");
    result.push_back(part(to - from));
    from = to;
  }
  result.push_back(part(left_.size()));
  return result;
}

void byte_source::require_end(const char* of_what) const {
  if (!at_end()) refuse(std::string("bytes are left after ") + of_what, "none", std::to_string(left()));
}

}  // namespace tilewright::compiler::tileir
