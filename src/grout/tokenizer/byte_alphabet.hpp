// SPDX-License-Identifier: Apache-2.0
// The alphabet in which byte-level vocabularies are spelled: each of the 256 bytes is one printable code point.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace grout {

// The spelling of one byte, in UTF-8.
std::string spell_byte(unsigned char byte);

// The bytes that a spelled text stands for; nothing if it holds another code point.
std::optional<std::string> bytes_of_spelling(std::string_view spelled);

}  // namespace grout
