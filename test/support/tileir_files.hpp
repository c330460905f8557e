// SPDX-License-Identifier: Apache-2.0
// Tile IR files whose bytes the format notes give one by one, and what tests change in them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tilewright::test {

inline std::string from_hexadecimal(std::string_view digits) {
  std::string bytes;
  unsigned value = 0, count = 0;
  for (const char digit : digits) {
    if (digit == ' ') continue;
    value = value << 4 | static_cast<unsigned>(digit <= '9' ? digit - '0' : digit - 'A' + 10);
    if (++count % 2 == 0) bytes.push_back(static_cast<char>(value & 0xff));
  }
  return bytes;
}

// entry @k() { return }
inline std::string smallest_tileir() {
  return from_hexadecimal(
      "7F54696C65495200 0D030000"
      "82 09 08 CB 01 00 00 02 00 03 5C 00 00"
      "85 0B 04 01 CB CB CB 00 00 00 00 10 00 00"
      "81 09 04 CB CB 01 CB CB CB 00 00 00 00 6B"
      "00");
}

// z = x + y in tiles of 1024, as the vendor's own writer made it: the sections one by one.
inline constexpr std::string_view add_functions =
    "01 00 06 02 01 46 30 05 05 05 43 01 07 00 01 03 00 42 08 07 43 01 07 01 01 03 00 42 08 09"
    "43 01 07 02 01 03 00 42 08 0B 3E 02 09 0A 00 00 08 01 04 3E 02 09 0A 00 00 0A 01 04 02 09 00 00 0D 0F"
    "66 01 0A 00 00 11 0C 01 04 5C 00 00";
inline constexpr std::string_view add_types =
    "0B CB CB CB 00000000 01000000 02000000 03000000 05000000 08000000 0B000000 12000000 26000000 34000000 3F000000"
    "00 03 07 0C 02 0D 03 00 0D 01 00 10 04 04 04 04 05 00 0E 02 01 00 00 00 00 00 00 00 80 01 01 00 00 00 00 00 00 00"
    "0F 01 01 00 04 00 00 07 01 00 00 00 00 00 0D 02 01 00 04 00 00 00 00 00 00 11";
inline constexpr std::string_view add_strings = "01 CB CB CB 00 00 00 00 61 64 64";

inline std::string vendor_add_tileir() {
  std::string bytes = from_hexadecimal("7F54696C65495200 0D030000 82 4C 08 CB");
  bytes += from_hexadecimal(add_functions);
  bytes += from_hexadecimal("84 08 08 CB 00 CB CB CB CB CB CB CB 83 81 01 08 CB CB CB CB");
  bytes += from_hexadecimal("01 CB CB CB 00 00 00 00 0D CB CB CB CB CB CB CB") + std::string(104, '\0');
  bytes += from_hexadecimal("01 CB CB CB 00 00 00 00 00 85 70 04") + from_hexadecimal(add_types);
  bytes += from_hexadecimal("81 0B 04 CB") + from_hexadecimal(add_strings);
  return bytes + '\0';
}

}  // namespace tilewright::test
