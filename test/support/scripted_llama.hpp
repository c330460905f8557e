// SPDX-License-Identifier: Apache-2.0
// A model that emits a chosen sequence of tokens: its layers add nothing to the stream, and the head's row for each
// token is the embedding of the token before it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "support/tiny_llama.hpp"

namespace test_support {

// `script`: different tokens, each the successor of the one before. What follows the last is left open.
inline std::string scripted_llama(const std::vector<std::int32_t>& script) {
  TinyLlama model({.layers = 1, .is_tied = false});
  for (const char* name : {"blk.0.attn_output.weight", "blk.0.ffn_down.weight"}) {
    auto& data = model.tensor(name).data;
    data.assign(data.size(), '\0');
  }
  const std::string& embedding = model.tensor("token_embd.weight").data;
  std::string& head = model.tensor("output.weight").data;
  const std::size_t row_bytes = embedding.size() / TinyShape{}.vocabulary;
  head.assign(head.size(), '\0');
  for (std::size_t i = 0; i + 1 < script.size(); ++i) {
    const auto from = static_cast<std::size_t>(script[i]);
    const auto to = static_cast<std::size_t>(script[i + 1]);
    head.replace(to * row_bytes, row_bytes, embedding, from * row_bytes, row_bytes);
  }
  return model.gguf();
}

}  // namespace test_support
