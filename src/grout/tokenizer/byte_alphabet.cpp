// SPDX-License-Identifier: Apache-2.0
// Printable bytes of Latin-1 stand for themselves; the others, in order, are U+0100, U+0101 and so on.
#include "grout/tokenizer/byte_alphabet.hpp"

#include <cstdint>

namespace grout {
namespace {

constexpr int absent = -1;
constexpr std::size_t code_points = 0x100 + 68;  // 68 bytes are not printable

constexpr bool is_printable(int byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte <= 0xac) || byte >= 0xae;
}

struct Alphabet {
  std::array<std::uint16_t, 256> code_point{};
  std::array<std::int16_t, code_points> byte{};

  constexpr Alphabet() {
    byte.fill(absent);
    std::uint16_t next = 0x100;
    for (std::uint16_t b = 0; b < 256; ++b) {
      code_point[b] = is_printable(b) ? b : next++;
      byte[code_point[b]] = static_cast<std::int16_t>(b);
    }
  }
};

constexpr Alphabet alphabet;
static_assert(alphabet.code_point[' '] == 0x120 && alphabet.code_point[0xad] == code_points - 1);

}  // namespace

std::string spell_byte(unsigned char byte) {
  const unsigned code_point = alphabet.code_point[byte];
  if (code_point < 0x80) return {static_cast<char>(code_point)};
  return {static_cast<char>(0xc0 | code_point >> 6), static_cast<char>(0x80 | (code_point & 0x3f))};
}

std::optional<std::string> bytes_of_spelling(std::string_view spelled) {
  std::string result;
  for (std::size_t i = 0; i < spelled.size(); ++i) {
    std::size_t code_point = static_cast<unsigned char>(spelled[i]);
    if (code_point >= 0x80) {  // every code point of the alphabet takes at most two bytes
      if (code_point < 0xc2 || code_point >= 0xe0 || i + 1 == spelled.size()) return std::nullopt;
      const std::size_t second = static_cast<unsigned char>(spelled[++i]);
      if (second < 0x80 || second >= 0xc0) return std::nullopt;
      code_point = (code_point & 0x1f) << 6 | (second & 0x3f);
    }
    if (code_point >= code_points || alphabet.byte[code_point] == absent) return std::nullopt;
    result += static_cast<char>(alphabet.byte[code_point]);
  }
  return result;
}

}  // namespace grout
