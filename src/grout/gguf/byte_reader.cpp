// SPDX-License-Identifier: Apache-2.0
// Bounds checks and error texts of the cursor.
#include "grout/gguf/byte_reader.hpp"

#include <utility>

#include "tilewright/base/error.hpp"

namespace grout {

std::string printable(std::string_view text) {
  constexpr std::size_t longest = 96;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      result += c;
    } else {
      result += "\\x";
      result += digits[byte >> 4];
      result += digits[byte & 15];
    }
  }
  if (text.size() > longest) result += "... (" + std::to_string(text.size()) + " bytes)";
  return result;
}

std::string_view ByteReader::take(std::uint64_t count, std::string_view what) {
  if (count > remaining()) {
    fail("the file ends inside " + std::string(what),
         std::to_string(count) + " bytes at offset " + std::to_string(offset_),
         std::to_string(remaining()) + " bytes (file size " + std::to_string(size()) + ")", fix_damaged);
  }
  const auto result = bytes_.substr(offset_, count);
  offset_ += count;
  return result;
}

std::string_view ByteReader::read_string(std::string_view what) {
  const auto length = read<std::uint64_t>(what);
  return take(length, what);
}

void ByteReader::fail(std::string what, std::string expected, std::string got, std::string fix) const {
  std::string where = "file " + std::string(file_);
  if (!subject_kind_.empty()) {
    where += ", " + std::string(subject_kind_);
    if (!subject_name_.empty()) where += " '" + printable(subject_name_) + "'";
  }
  throw tilewright::io_error({.what = std::move(what),
                              .where = std::move(where),
                              .expected = std::move(expected),
                              .got = std::move(got),
                              .fix = std::move(fix)});
}

}  // namespace grout
