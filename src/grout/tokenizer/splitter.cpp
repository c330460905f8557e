// SPDX-License-Identifier: Apache-2.0
// Calls of PCRE2. The text was checked before, so PCRE2 need not check its UTF-8: it would do so from the current
// place to the end for every piece, which is quadratic.
#include "grout/tokenizer/splitter.hpp"

#include <pcre2.h>

#include <array>
#include <cstdint>

#include "tilewright/base/error.hpp"

namespace grout {
namespace {

std::string pcre2_message(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  std::string message;
  for (const PCRE2_UCHAR c : text) {
    if (c == 0) break;
    message += static_cast<char>(c);
  }
  return message;
}

PCRE2_SPTR units(std::string_view text) { return static_cast<PCRE2_SPTR>(static_cast<const void*>(text.data())); }

pcre2_code* code_of(void* code) { return static_cast<pcre2_code*>(code); }
pcre2_match_data* match_of(void* match) { return static_cast<pcre2_match_data*>(match); }

}  // namespace

void SplitPattern::FreeCode::operator()(void* code) const noexcept { pcre2_code_free(code_of(code)); }
void Splitter::FreeMatch::operator()(void* match) const noexcept { pcre2_match_data_free(match_of(match)); }

SplitPattern::SplitPattern(const std::string& pattern) {
  int error = 0;
  std::size_t offset = 0;
  code_.reset(pcre2_compile(units(pattern), pattern.size(), PCRE2_UTF | PCRE2_UCP, &error, &offset, nullptr));
  if (code_ == nullptr) {
    throw tilewright::usage_error({.what = "malformed split pattern",
                                   .where = "'" + pattern + "' at offset " + std::to_string(offset),
                                   .expected = "a PCRE2 pattern",
                                   .got = pcre2_message(error),
                                   .fix = "correct the pattern"});
  }
  // Machine code if this build of PCRE2 can make it; else the interpreter of PCRE2 serves.
  pcre2_jit_compile(code_of(code_.get()), PCRE2_JIT_COMPLETE);
}

Splitter::Splitter(const SplitPattern& pattern, std::string_view text)
    : pattern_(&pattern),
      text_(text),
      match_(pcre2_match_data_create_from_pattern(code_of(pattern.code_.get()), nullptr)) {
  if (match_ == nullptr) {
    throw tilewright::out_of_memory(
        {.what = "out of memory", .where = "tokenizer", .expected = {}, .got = {}, .fix = {}});
  }
}

void Splitter::search() {
  const int found = pcre2_match(code_of(pattern_->code_.get()), units(text_), text_.size(), at_, PCRE2_NO_UTF_CHECK,
                                match_of(match_.get()), nullptr);
  match_begin_ = match_end_ = text_.size();
  if (found == PCRE2_ERROR_NOMATCH) return;
  if (found < 0) {
    throw tilewright::runtime_error({.what = "the split pattern failed on this text",
                                     .where = "byte " + std::to_string(at_) + " of " + std::to_string(text_.size()),
                                     .expected = "a match or none",
                                     .got = pcre2_message(found),
                                     .fix = "shorten the text"});
  }
  const std::size_t* ends = pcre2_get_ovector_pointer(match_of(match_.get()));
  tilewright::require_internal(ends[0] >= at_ && ends[1] > ends[0], "a split pattern matched nothing");
  match_begin_ = ends[0];
  match_end_ = ends[1];
}

bool Splitter::next(std::string_view& piece) {
  if (at_ == text_.size()) return false;
  if (match_end_ <= at_) search();
  const std::size_t end = at_ < match_begin_ ? match_begin_ : match_end_;
  piece = text_.substr(at_, end - at_);
  at_ = end;
  return true;
}

}  // namespace grout
