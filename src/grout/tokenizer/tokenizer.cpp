// SPDX-License-Identifier: Apache-2.0
// The tokenizer as its users see it: special tokens, split, merge; and the way back.
#include "grout/tokenizer.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "grout/tokenizer/special_tokens.hpp"
#include "grout/tokenizer/splitter.hpp"
#include "grout/tokenizer/vocabulary.hpp"
#include "tilewright/base/error.hpp"

namespace grout {

struct Tokenizer::Parts {
  Vocabulary vocabulary;
  SpecialTokens special_tokens;
  SplitPattern split_pattern;
  std::optional<std::int32_t> bos_id;
  std::vector<std::int32_t> end_ids;

  explicit Parts(const TokenizerSource& source)
      : vocabulary(source),
        special_tokens(vocabulary),
        split_pattern(source.split_pattern),
        bos_id(source.bos_id),
        end_ids(source.end_ids) {}

  void check_id(std::int32_t id) const {
    if (id >= 0 && id < vocabulary.size()) return;
    throw tilewright::usage_error({.what = "no such token",
                                   .where = "tokenizer",
                                   .expected = "an id from 0 to " + std::to_string(vocabulary.size() - 1),
                                   .got = std::to_string(id),
                                   .fix = "pass only ids of this model"});
  }

  // Text without special tokens.
  void encode_plain(std::string_view text, Merger& merger, std::vector<std::int32_t>& ids) const {
    std::vector<std::int32_t> symbols;
    Splitter splitter(split_pattern, text);
    for (std::string_view piece; splitter.next(piece);) {
      symbols.clear();
      for (const char c : piece) symbols.push_back(vocabulary.byte_ids[static_cast<unsigned char>(c)]);
      merger.merge(symbols, ids);
    }
  }
};

Tokenizer::Tokenizer(const TokenizerSource& source) : parts_(std::make_unique<Parts>(source)) {}
Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

std::vector<std::int32_t> Tokenizer::encode(std::string_view text, bool parse_special) const {
  if (text.size() > std::numeric_limits<std::int32_t>::max()) {
    throw tilewright::usage_error({.what = "the text is too long",
                                   .where = "tokenizer",
                                   .expected = "less than 2^31 bytes",
                                   .got = std::to_string(text.size()) + " bytes",
                                   .fix = "cut the text into parts"});
  }
  std::string repaired;
  if (!is_valid_utf8(text)) text = repaired = to_valid_utf8(text);
  std::vector<std::int32_t> ids;
  Merger merger(parts_->vocabulary.merges);
  for (std::size_t at = 0; at < text.size();) {
    const SpecialTokens::Hit hit =
        parse_special ? parts_->special_tokens.find(text, at) : SpecialTokens::Hit{text.size(), text.size(), no_token};
    parts_->encode_plain(text.substr(at, hit.begin - at), merger, ids);
    if (hit.id != no_token) ids.push_back(hit.id);
    at = hit.end;
  }
  return ids;
}

std::string Tokenizer::decode(std::span<const std::int32_t> ids) const {
  std::string bytes;
  for (const std::int32_t id : ids) bytes += token_bytes(id);
  return to_valid_utf8(bytes);
}

std::string_view Tokenizer::token_bytes(std::int32_t id) const {
  parts_->check_id(id);
  return parts_->vocabulary.bytes_of(id);
}

TokenKind Tokenizer::token_kind(std::int32_t id) const {
  parts_->check_id(id);
  return parts_->vocabulary.kinds[static_cast<std::size_t>(id)];
}

std::int32_t Tokenizer::size() const noexcept { return parts_->vocabulary.size(); }

std::optional<std::int32_t> Tokenizer::bos_id() const noexcept { return parts_->bos_id; }

bool Tokenizer::is_end(std::int32_t id) const noexcept {
  return std::find(parts_->end_ids.begin(), parts_->end_ids.end(), id) != parts_->end_ids.end();
}

}  // namespace grout
