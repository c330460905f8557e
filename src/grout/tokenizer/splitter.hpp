// SPDX-License-Identifier: Apache-2.0
// Cuts text into the pieces inside which merges happen, by a regular expression. PCRE2 is reached only here.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace grout {

// A compiled pattern; immutable, shared by threads.
class SplitPattern {
 public:
  // usage_error with PCRE2's message if the pattern is malformed.
  explicit SplitPattern(const std::string& pattern);

 private:
  friend class Splitter;
  struct FreeCode {
    void operator()(void* code) const noexcept;
  };
  std::unique_ptr<void, FreeCode> code_;
};

// Walks over one text: matches of the pattern and the stretches between them, in order, none empty.
class Splitter {
 public:
  // `text` is valid UTF-8; both arguments must outlive the walk.
  Splitter(const SplitPattern& pattern, std::string_view text);

  // False at the end of the text.
  bool next(std::string_view& piece);

 private:
  struct FreeMatch {
    void operator()(void* match) const noexcept;
  };
  void search();

  const SplitPattern* pattern_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t match_begin_ = 0;  // of the match at or after at_; text_.size() if there is none
  std::size_t match_end_ = 0;
  std::unique_ptr<void, FreeMatch> match_;
};

}  // namespace grout
