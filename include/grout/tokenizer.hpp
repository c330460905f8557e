// SPDX-License-Identifier: Apache-2.0
// Byte-level BPE: text to token ids and back, as the model's own vocabulary and merges define it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "grout/gguf.hpp"
#include "grout/utf8.hpp"
#include "tilewright/base/config.hpp"

namespace grout {

// Values are those of GGUF's token_type.
enum class TokenKind : std::uint8_t { normal = 1, unknown, control, user_defined, unused, byte };

// What a tokenizer is made from. Views need to live only during the construction.
struct TokenizerSource {
  std::string name;                      // "file model.gguf": stands in messages
  std::vector<std::string_view> tokens;  // normal ones in the GPT-2 byte alphabet, others as plain text
  std::vector<TokenKind> kinds;          // one for each token
  std::vector<std::string_view> merges;  // "left right", most important first
  std::string split_pattern;             // PCRE2; its matches, and the text between them, are merged apart
  std::optional<std::int32_t> bos_id;
  std::vector<std::int32_t> end_ids;  // tokens that end a generation
};

// Immutable after construction; any number of threads may use one.
class TILEWRIGHT_API Tokenizer {
 public:
  // io_error if the parts contradict each other: duplicate tokens or merges, a merge of unknown tokens, a token
  // outside the byte alphabet, ids past the vocabulary, counts that differ.
  explicit Tokenizer(const TokenizerSource& source);
  // io_error if the file has no tokenizer of a kind we know ("gpt2" with the "smollm" split).
  static Tokenizer from_gguf(const Gguf& file);
  ~Tokenizer();
  Tokenizer(Tokenizer&&) noexcept;
  Tokenizer& operator=(Tokenizer&&) noexcept;

  // The ids of `text`; nothing is added in front. With `parse_special`, control and user-defined tokens that stand in
  // the text become their id (the longest at a place wins); without, their spelling is ordinary text.
  // Ill-formed UTF-8 is read as U+FFFD, by the rule of to_valid_utf8. A byte for which the vocabulary has no token
  // is left out, as the reference tokenizers do (in SmolLM2 these are a few control characters, and bytes that only
  // code points from U+40000 contain). usage_error for a text of 2 GiB or more.
  // Time is O(n log n) whatever the text.
  std::vector<std::int32_t> encode(std::string_view text, bool parse_special) const;

  // The bytes of all ids joined, then to_valid_utf8. Control tokens give their text. usage_error for an unknown id.
  std::string decode(std::span<const std::int32_t> ids) const;
  // What one token stands for: often not whole code points.
  std::string_view token_bytes(std::int32_t id) const;
  TokenKind token_kind(std::int32_t id) const;

  std::int32_t size() const noexcept;
  std::optional<std::int32_t> bos_id() const noexcept;
  bool is_end(std::int32_t id) const noexcept;

 private:
  struct Parts;
  std::unique_ptr<const Parts> parts_;
};

// Decodes ids as they are generated and gives out only whole code points. The joined results equal decode() of all
// ids. The tokenizer must outlive it.
class TILEWRIGHT_API StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer) : tokenizer_(&tokenizer) {}

  std::string push(std::int32_t id) { return stream_.push(tokenizer_->token_bytes(id)); }
  std::string finish() { return stream_.finish(); }

 private:
  const Tokenizer* tokenizer_;
  Utf8Stream stream_;
};

}  // namespace grout
