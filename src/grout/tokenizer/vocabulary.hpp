// SPDX-License-Identifier: Apache-2.0
// The checked vocabulary of a tokenizer: what bytes each token stands for, and how tokens merge.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "grout/tokenizer.hpp"
#include "grout/tokenizer/bpe.hpp"

namespace grout {

struct Vocabulary {
  // io_error if the parts of `source` contradict each other.
  explicit Vocabulary(const TokenizerSource& source);

  std::int32_t size() const noexcept { return static_cast<std::int32_t>(kinds.size()); }
  std::string_view bytes_of(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    return std::string_view(bytes).substr(ends[i], ends[i + 1] - ends[i]);
  }

  std::string bytes;                 // of all tokens, one after the other
  std::vector<std::size_t> ends{0};  // token i takes bytes [ends[i], ends[i + 1])
  std::vector<TokenKind> kinds;
  std::array<std::int32_t, 256> byte_ids{};  // no_token where the vocabulary lacks a byte
  MergeTable merges;
};

// Throws tilewright::io_error about one part of the source ("token 17", "merge 3").
[[noreturn]] void fail_vocabulary(const TokenizerSource& source, const std::string& part, std::string what,
                                  std::string expected, std::string got);

}  // namespace grout
