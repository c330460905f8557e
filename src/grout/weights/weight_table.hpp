// SPDX-License-Identifier: Apache-2.0
// Which tensors a Llama consists of: their names, shapes and encodings, derived from its configuration.
#pragma once

#include <string>
#include <vector>

#include "grout/config.hpp"

namespace grout {

enum class WeightKind { norm, matrix };

struct ExpectedWeight {
  std::string name;
  WeightKind kind;
  index_t rows;     // 1 for a norm, which has one axis
  index_t columns;  // of a row, which is what a product sums over
  // The tensor that shares a product with this one, so that both need planes of one kind; empty: none.
  std::string partner = {};
};

// The name of a tensor of layer `layer`: "blk.3.attn_q.weight".
std::string layer_weight(index_t layer, const char* part);

// In the order of the computation. Without a head of its own the model uses the embedding for both ends.
std::vector<ExpectedWeight> expected_weights(const ModelConfig& config, bool has_head);

inline constexpr const char* embedding_weight = "token_embd.weight";
inline constexpr const char* final_norm_weight = "output_norm.weight";
inline constexpr const char* head_weight = "output.weight";  // absent when the embedding serves as head

}  // namespace grout
