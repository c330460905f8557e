// SPDX-License-Identifier: Apache-2.0
// UTF-8 from untrusted bytes: ill-formed sequences become U+FFFD, text that arrives in pieces comes out whole.
#pragma once

#include <string>
#include <string_view>

#include "tilewright/base/config.hpp"

namespace grout {

TILEWRIGHT_API bool is_valid_utf8(std::string_view text) noexcept;

// Each maximal subpart of an ill-formed sequence becomes one U+FFFD (Unicode 3.9, as web browsers and Python do it).
TILEWRIGHT_API std::string to_valid_utf8(std::string_view text);

// The same conversion for text that arrives in pieces. Only an unfinished sequence that may still become a code
// point is held back, at most 3 bytes; ill-formed bytes are replaced at once. What push() and the final finish()
// return, joined, equals to_valid_utf8 of all pieces joined.
class TILEWRIGHT_API Utf8Stream {
 public:
  std::string push(std::string_view bytes);
  // Replaces what is still held back; the stream is then as new.
  std::string finish();

 private:
  std::string held_;
};

}  // namespace grout
