// SPDX-License-Identifier: Apache-2.0
// A scan with one look-up per byte; nearly every byte starts no special token.
#include "grout/tokenizer/special_tokens.hpp"

#include <algorithm>

namespace grout {

SpecialTokens::SpecialTokens(const Vocabulary& vocabulary) {
  for (std::int32_t id = 0; id < vocabulary.size(); ++id) {
    const TokenKind kind = vocabulary.kinds[static_cast<std::size_t>(id)];
    if (kind != TokenKind::control && kind != TokenKind::user_defined) continue;
    const std::string_view text = vocabulary.bytes_of(id);
    by_first_byte_[static_cast<unsigned char>(text.front())].push_back({std::string(text), id});
  }
  for (auto& entries : by_first_byte_) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.text.size() > b.text.size(); });
  }
}

SpecialTokens::Hit SpecialTokens::find(std::string_view text, std::size_t from) const {
  for (std::size_t at = from; at < text.size(); ++at) {
    for (const Entry& entry : by_first_byte_[static_cast<unsigned char>(text[at])]) {
      if (text.substr(at).starts_with(entry.text)) return {at, at + entry.text.size(), entry.id};
    }
  }
  return {text.size(), text.size(), no_token};
}

}  // namespace grout
