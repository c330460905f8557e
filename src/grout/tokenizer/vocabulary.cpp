// SPDX-License-Identifier: Apache-2.0
// Builds the vocabulary and refuses one that contradicts itself. Text look-ups exist only while building.
#include "grout/tokenizer/vocabulary.hpp"

#include <limits>
#include <unordered_map>
#include <utility>

#include "grout/gguf/byte_reader.hpp"
#include "grout/tokenizer/byte_alphabet.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using IdsByText = std::unordered_map<std::string_view, std::int32_t>;

std::string quoted(std::string_view text) { return std::string("'").append(printable(text)).append("'"); }

IdsByText index_tokens(const TokenizerSource& source) {
  if (source.tokens.empty() || source.tokens.size() > std::numeric_limits<std::int32_t>::max()) {
    fail_vocabulary(source, "tokens", "a vocabulary of impossible size", "1 to 2^31 - 1 tokens",
                    std::to_string(source.tokens.size()));
  }
  if (source.kinds.size() != source.tokens.size()) {
    fail_vocabulary(source, "token types", "tokens and token types differ in number",
                    std::to_string(source.tokens.size()), std::to_string(source.kinds.size()));
  }
  IdsByText ids;
  ids.reserve(source.tokens.size());
  for (std::size_t i = 0; i < source.tokens.size(); ++i) {
    const auto text = source.tokens[i];
    const std::string part = "token " + std::to_string(i);
    if (text.empty()) fail_vocabulary(source, part, "an empty token", "1 byte or more", "0 bytes");
    const auto [entry, is_new] = ids.try_emplace(text, static_cast<std::int32_t>(i));
    if (!is_new) {
      fail_vocabulary(source, part, "duplicate token", "each token once",
                      quoted(text) + ", which is also token " + std::to_string(entry->second));
    }
  }
  return ids;
}

void append_token(Vocabulary& vocabulary, const TokenizerSource& source, std::size_t i) {
  const auto text = source.tokens[i];
  if (source.kinds[i] == TokenKind::normal) {
    const auto bytes = bytes_of_spelling(text);
    if (!bytes) {
      fail_vocabulary(source, "token " + std::to_string(i), "a token outside the byte alphabet",
                      "only the 256 code points that stand for bytes", quoted(text));
    }
    vocabulary.bytes += *bytes;
  } else {
    vocabulary.bytes += text;
  }
  vocabulary.ends.push_back(vocabulary.bytes.size());
}

std::int32_t find_part(const TokenizerSource& source, const IdsByText& ids, std::size_t rank, std::string_view text) {
  const auto entry = ids.find(text);
  if (entry != ids.end()) return entry->second;
  fail_vocabulary(source, "merge " + std::to_string(rank), "a merge of an unknown token", "a token of the vocabulary",
                  quoted(text) + " in " + quoted(source.merges[rank]));
}

void add_merge(MergeTable& merges, const TokenizerSource& source, const IdsByText& ids, std::size_t rank) {
  const auto text = source.merges[rank];
  const auto space = text.find(' ');
  if (space == std::string_view::npos || text.find(' ', space + 1) != std::string_view::npos) {
    fail_vocabulary(source, "merge " + std::to_string(rank), "a malformed merge", "two tokens and one space between",
                    quoted(text));
  }
  const auto left_text = text.substr(0, space);
  const auto right_text = text.substr(space + 1);
  const std::int32_t left = find_part(source, ids, rank, left_text);
  const std::int32_t right = find_part(source, ids, rank, right_text);
  const std::int32_t result = find_part(source, ids, rank, std::string(left_text).append(right_text));
  if (!merges.add({left, right, result})) {
    fail_vocabulary(source, "merge " + std::to_string(rank), "duplicate merge", "each pair once", quoted(text));
  }
}

void check_id(const TokenizerSource& source, const char* part, std::int32_t id) {
  if (id >= 0 && static_cast<std::size_t>(id) < source.tokens.size()) return;
  fail_vocabulary(source, part, "an id past the vocabulary", "0 to " + std::to_string(source.tokens.size() - 1),
                  std::to_string(id));
}

}  // namespace

void fail_vocabulary(const TokenizerSource& source, const std::string& part, std::string what, std::string expected,
                     std::string got) {
  throw tilewright::io_error({.what = std::move(what),
                              .where = source.name + ", " + part,
                              .expected = std::move(expected),
                              .got = std::move(got),
                              .fix = "the model's vocabulary is damaged; get the file again or convert it anew"});
}

Vocabulary::Vocabulary(const TokenizerSource& source) : kinds(source.kinds), merges(source.merges.size()) {
  const IdsByText ids = index_tokens(source);
  for (std::size_t i = 0; i < source.tokens.size(); ++i) append_token(*this, source, i);
  for (int byte = 0; byte < 256; ++byte) {
    const auto entry = ids.find(spell_byte(static_cast<unsigned char>(byte)));
    const bool is_byte = entry != ids.end() && kinds[static_cast<std::size_t>(entry->second)] == TokenKind::normal;
    byte_ids[static_cast<std::size_t>(byte)] = is_byte ? entry->second : no_token;
  }
  for (std::size_t rank = 0; rank < source.merges.size(); ++rank) add_merge(merges, source, ids, rank);
  if (source.bos_id) check_id(source, "beginning-of-text token", *source.bos_id);
  for (const std::int32_t id : source.end_ids) check_id(source, "end-of-text token", id);
}

}  // namespace grout
