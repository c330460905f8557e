// SPDX-License-Identifier: Apache-2.0
// The numbers that make a model: sizes and constants of a Llama or a Qwen3, taken from the file and checked against
// each other.
#pragma once

#include <cstdint>

#include "grout/gguf.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/base/dtype.hpp"

namespace grout {

using tilewright::index_t;

// Qwen3 normalises each head of queries and keys before it is turned.
enum class Architecture : std::uint8_t { llama, qwen3 };
TILEWRIGHT_API const char* name_of(Architecture architecture);  // as in GGUF files

struct ModelConfig {
  Architecture architecture = Architecture::llama;
  index_t vocabulary = 0;  // rows of the embedding
  index_t context = 0;     // most positions of one sequence
  index_t width = 0;       // of the residual stream
  index_t layers = 0;
  index_t heads = 0;      // of queries
  index_t key_heads = 0;  // of keys and values; heads / key_heads queries share one
  index_t head_size = 0;
  index_t hidden = 0;      // width inside the feed-forward part
  double rotary_base = 0;  // pair i of a head turns by position * base^(-2i / head_size)
  float norm_epsilon = 0;  // added to the mean square
  bool operator==(const ModelConfig&) const = default;

  bool has_head_norms() const { return architecture == Architecture::qwen3; }
  index_t query_columns() const { return heads * head_size; }
  index_t key_columns() const { return key_heads * head_size; }
  index_t query_heads_per_key_head() const { return heads / key_heads; }
};

// io_error naming file and key: another architecture than those above, a missing key, a size out of range, heads that
// do not divide, an odd head size, and what this engine does not compute (scaled rotary angles, experts, part-rotary
// heads). Keys with a default of the format: head_count_kv (head_count), key_length and value_length (width /
// head_count), vocab_size (count of the tokenizer's tokens), rope.dimension_count (head size).
TILEWRIGHT_API ModelConfig read_config(const Gguf& file);

}  // namespace grout
