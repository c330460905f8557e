// SPDX-License-Identifier: Apache-2.0
// One step of UTF-8 decoding after table 3-7 of the Unicode standard, and what is built on it.
#include "grout/utf8.hpp"

#include <algorithm>
#include <cstddef>

namespace grout {
namespace {

constexpr std::string_view replacement = "\xef\xbf\xbd";

enum class Form { well_formed, ill_formed, unfinished };

// The sequence at the start of a text: a code point, a maximal ill-formed subpart, or the text's unfinished end.
struct Sequence {
  Form form;
  std::size_t size_bytes;
};

struct Lead {
  std::size_t size_bytes;  // 0: not a lead byte
  unsigned char least_second, most_second;
};

Lead classify_lead(unsigned char byte) {
  if (byte < 0x80) return {1, 0, 0};
  if (byte < 0xc2) return {0, 0, 0};  // continuations, and leads of overlong forms
  if (byte < 0xe0) return {2, 0x80, 0xbf};
  if (byte == 0xe0) return {3, 0xa0, 0xbf};
  if (byte == 0xed) return {3, 0x80, 0x9f};  // above lie the surrogates
  if (byte < 0xf0) return {3, 0x80, 0xbf};
  if (byte == 0xf0) return {4, 0x90, 0xbf};
  if (byte < 0xf4) return {4, 0x80, 0xbf};
  if (byte == 0xf4) return {4, 0x80, 0x8f};  // U+10FFFF is the last
  return {0, 0, 0};
}

Sequence first_sequence(std::string_view text) {
  const Lead lead = classify_lead(static_cast<unsigned char>(text[0]));
  if (lead.size_bytes == 0) return {Form::ill_formed, 1};
  for (std::size_t i = 1; i < lead.size_bytes; ++i) {
    if (i == text.size()) return {Form::unfinished, i};
    const auto byte = static_cast<unsigned char>(text[i]);
    const unsigned char least = i == 1 ? lead.least_second : 0x80;
    const unsigned char most = i == 1 ? lead.most_second : 0xbf;
    if (byte < least || byte > most) return {Form::ill_formed, i};
  }
  return {Form::well_formed, lead.size_bytes};
}

// Appends the converted text and returns how many bytes at the end are unfinished.
std::size_t convert(std::string_view text, std::string& out) {
  std::size_t clean_from = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Sequence sequence = first_sequence(text.substr(at));
    if (sequence.form != Form::well_formed) out.append(text, clean_from, at - clean_from);
    if (sequence.form == Form::unfinished) return sequence.size_bytes;
    at += sequence.size_bytes;
    if (sequence.form == Form::well_formed) continue;
    out += replacement;
    clean_from = at;
  }
  out.append(text, clean_from, text.size() - clean_from);
  return 0;
}

}  // namespace

bool is_valid_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const Sequence sequence = first_sequence(text);
    if (sequence.form != Form::well_formed) return false;
    text.remove_prefix(sequence.size_bytes);
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  if (convert(text, result) != 0) result += replacement;
  return result;
}

std::string Utf8Stream::push(std::string_view bytes) {
  held_ += bytes;
  std::string result;
  const std::size_t unfinished = convert(held_, result);
  held_.erase(0, held_.size() - unfinished);
  return result;
}

std::string Utf8Stream::finish() {
  std::string result = held_.empty() ? std::string() : std::string(replacement);
  held_.clear();
  return result;
}

}  // namespace grout
