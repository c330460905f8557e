// SPDX-License-Identifier: Apache-2.0
// Finds control and user-defined tokens spelled out in a text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grout/tokenizer/vocabulary.hpp"

namespace grout {

class SpecialTokens {
 public:
  // A token's place in a text; at the text's end with no_token if there is none.
  struct Hit {
    std::size_t begin, end;
    std::int32_t id;
  };

  explicit SpecialTokens(const Vocabulary& vocabulary);

  // The first one that starts at or after `from`; where several start, the longest.
  Hit find(std::string_view text, std::size_t from) const;

 private:
  struct Entry {
    std::string text;
    std::int32_t id;
  };

  std::array<std::vector<Entry>, 256> by_first_byte_;  // each longest first
};

}  // namespace grout
