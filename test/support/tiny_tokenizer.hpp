// SPDX-License-Identifier: Apache-2.0
// A tokenizer small enough to work out by hand: 256 bytes, a few merges, two control tokens.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "grout/tokenizer.hpp"
#include "support/gguf_writer.hpp"

namespace test_support {

// Change members, then ask for source() or gguf(). Byte b is token b.
struct TinyTokenizer {
  std::vector<std::string> tokens;
  std::vector<std::int32_t> kinds;
  std::vector<std::string> merges{"a b", "b c", "ab c", "a a", "aa aa"};
  std::string pattern = R"( ?\p{L}+|\p{N}|[^\p{L}\p{N}])";
  std::string model = "gpt2", split = "smollm";
  std::int32_t bos = start, eos = end;

  static constexpr std::int32_t ab = 256, bc = 257, abc = 258, aa = 259, aaaa = 260, start = 261, end = 262,
                                longer = 263;

  TinyTokenizer() {
    char32_t next = 0x100;
    for (int b = 0; b < 256; ++b) {
      const bool is_printable = (b >= 0x21 && b <= 0x7e) || (b >= 0xa1 && b <= 0xac) || b >= 0xae;
      tokens.push_back(utf8(is_printable ? static_cast<char32_t>(b) : next++));
    }
    for (const char* merged : {"ab", "bc", "abc", "aa", "aaaa", "<s>", "</s>", "</s>>"}) tokens.push_back(merged);
    kinds.assign(tokens.size(), 1);
    kinds[start] = kinds[end] = 3;
    kinds[longer] = 4;
  }

  // Views of this object's strings.
  grout::TokenizerSource source() const {
    grout::TokenizerSource result;
    result.name = "file test.gguf";
    result.tokens.assign(tokens.begin(), tokens.end());
    for (const auto kind : kinds) result.kinds.push_back(static_cast<grout::TokenKind>(kind));
    result.merges.assign(merges.begin(), merges.end());
    result.split_pattern = pattern;
    result.bos_id = bos;
    result.end_ids = {eos};
    return result;
  }
  grout::Tokenizer make() const { return grout::Tokenizer(source()); }

  std::string gguf() const {
    using enum grout::GgufValueType;
    GgufWriter writer;
    writer.counts(0, 7)
        .value("tokenizer.ggml.model", model)
        .value("tokenizer.ggml.pre", split)
        .array("tokenizer.ggml.tokens", tokens)
        .array("tokenizer.ggml.merges", merges)
        .value("tokenizer.ggml.bos_token_id", u32, static_cast<std::uint32_t>(bos))
        .value("tokenizer.ggml.eos_token_id", u32, static_cast<std::uint32_t>(eos))
        .array("tokenizer.ggml.token_type", i32, kinds.size());
    for (const auto kind : kinds) writer.number(kind);
    return writer.bytes();
  }

 private:
  static std::string utf8(char32_t code_point) {
    if (code_point < 0x80) return {static_cast<char>(code_point)};
    return {static_cast<char>(0xc0 | code_point >> 6), static_cast<char>(0x80 | (code_point & 0x3f))};
  }
};

}  // namespace test_support
