// SPDX-License-Identifier: Apache-2.0
// Takes a tokenizer out of a GGUF file's metadata, and knows the split pattern behind each name.
#include <array>
#include <limits>

#include "grout/gguf/byte_reader.hpp"
#include "grout/tokenizer.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

struct NamedPattern {
  std::string_view name;  // tokenizer.ggml.pre
  std::string_view pattern;
};

// smollm cuts out each digit first and splits what lies between by the GPT-2 pattern. Both steps are one pattern
// here: white space before a digit ends its stretch, so the look-ahead treats a digit like the end of the text.
// \p{White_Space}, not \s: PCRE2's \s also takes U+180E.
constexpr std::array patterns{
    NamedPattern{"smollm", R"(\p{N}|'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?[^\p{White_Space}\p{L}\p{N}]+)"
                           R"(|\p{White_Space}+(?![^\p{White_Space}\p{N}])|\p{White_Space})"},
};

[[noreturn]] void fail_unsupported(const Gguf& file, std::string_view key, std::string_view expected,
                                   std::string_view got) {
  throw tilewright::io_error({.what = "unsupported tokenizer",
                              .where = "file " + file.name() + ", key '" + std::string(key) + "'",
                              .expected = std::string(expected),
                              .got = "'" + printable(got) + "'",
                              .fix = "use a model whose tokenizer is supported"});
}

std::string find_pattern(const Gguf& file) {
  constexpr std::string_view model_key = "tokenizer.ggml.model";
  constexpr std::string_view split_key = "tokenizer.ggml.pre";
  const auto model = file.metadata().string(model_key);
  if (model != "gpt2") fail_unsupported(file, model_key, "'gpt2' (byte-level BPE)", model);
  const auto name = file.metadata().string(split_key);
  for (const NamedPattern& known : patterns) {
    if (known.name == name) return std::string(known.pattern);
  }
  fail_unsupported(file, split_key, "'smollm'", name);
}

std::vector<std::int32_t> find_ids(const Gguf& file, std::initializer_list<std::string_view> keys, std::int64_t most) {
  std::vector<std::int32_t> ids;
  for (const auto key : keys) {
    if (file.metadata().has(key)) ids.push_back(static_cast<std::int32_t>(file.metadata().integer(key, {0, most})));
  }
  return ids;
}

}  // namespace

Tokenizer Tokenizer::from_gguf(const Gguf& file) {
  TokenizerSource source;
  source.name = "file " + file.name();
  source.split_pattern = find_pattern(file);
  source.tokens = file.metadata().strings("tokenizer.ggml.tokens");
  for (const auto kind : file.metadata().integers("tokenizer.ggml.token_type", {1, 6})) {
    source.kinds.push_back(static_cast<TokenKind>(kind));
  }
  source.merges = file.metadata().strings("tokenizer.ggml.merges");
  const auto most = static_cast<std::int64_t>(source.tokens.size()) - 1;
  const auto bos = find_ids(file, {"tokenizer.ggml.bos_token_id"}, most);
  if (!bos.empty()) source.bos_id = bos.front();
  // A file may name several ends: of the text, of a turn, of a message. Any of them ends a generation.
  source.end_ids = find_ids(
      file, {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}, most);
  return Tokenizer(source);
}

}  // namespace grout
