// SPDX-License-Identifier: Apache-2.0
// Long texts without a place to split, and a short fingerprint of the ids they give.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace test_support {

// `unit` repeated; "letters" is a sequence of lower-case letters without a period instead.
inline std::string run_of(std::string_view unit, std::size_t times) {
  std::string text;
  for (std::size_t k = 0; k < times; ++k) {
    if (unit == "letters") {
      text += static_cast<char>('a' + (7919 * k + k * k % 97) % 26);
    } else {
      text += unit;
    }
  }
  return text;
}

// FNV-1a, 64 bits, over the ids as little-endian 32-bit words, in hexadecimal.
inline std::string fnv1a(std::span<const std::int32_t> ids) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::int32_t id : ids) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ (static_cast<std::uint32_t>(id) >> shift & 0xff)) * 0x100000001b3;
    }
  }
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += "0123456789abcdef"[hash >> shift & 15];
  return text;
}

}  // namespace test_support
