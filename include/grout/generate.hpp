// SPDX-License-Identifier: Apache-2.0
// Greedy continuation of a text.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "grout/model.hpp"
#include "grout/tokenizer.hpp"
#include "tilewright/base/config.hpp"

namespace grout {

struct GenerateOptions {
  index_t count = 0;         // tokens to generate
  bool stop_at_end = false;  // stop before the first token that ends a text, which is then not part of the result
};

struct Generated {
  std::vector<std::int32_t> ids;  // generated ones only
  std::string text;               // what they stand for, as valid UTF-8
  index_t prompt_tokens = 0;
  std::optional<double> prefill_tokens_per_second;  // the prompt, until the first token is known
  std::optional<double> decode_tokens_per_second;   // the tokens after the first; nothing if there are none
};

// Continues `prompt`: special tokens in it are parsed, nothing is added in front. `on_text` gets the text as it
// arrives, whole code points only; the pieces joined are Generated::text.
// usage_error: a prompt without tokens, a negative count, prompt and count beyond the model's context
// ("context_length_exceeded"). runtime_error: logits that are not finite.
TILEWRIGHT_API Generated generate(const Model& model, const Tokenizer& tokenizer, std::string_view prompt,
                                  const GenerateOptions& options,
                                  const std::function<void(std::string_view)>& on_text = {});

}  // namespace grout
