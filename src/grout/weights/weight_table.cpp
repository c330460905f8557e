// SPDX-License-Identifier: Apache-2.0
#include "grout/weights/weight_table.hpp"

namespace grout {

std::string layer_weight(index_t layer, const char* part) {
  return "blk." + std::to_string(layer) + "." + part + ".weight";
}

std::vector<ExpectedWeight> expected_weights(const ModelConfig& config, bool has_head) {
  using enum WeightKind;
  const index_t width = config.width;
  std::vector<ExpectedWeight> all{{embedding_weight, matrix, config.vocabulary, width}};
  for (index_t layer = 0; layer < config.layers; ++layer) {
    all.push_back({layer_weight(layer, "attn_norm"), norm, 1, width});
    all.push_back({layer_weight(layer, "attn_q"), matrix, config.query_columns(), width});
    all.push_back({layer_weight(layer, "attn_k"), matrix, config.key_columns(), width, layer_weight(layer, "attn_q")});
    all.push_back({layer_weight(layer, "attn_v"), matrix, config.key_columns(), width, layer_weight(layer, "attn_q")});
    if (config.has_head_norms()) {
      all.push_back({layer_weight(layer, "attn_q_norm"), norm, 1, config.head_size});
      all.push_back({layer_weight(layer, "attn_k_norm"), norm, 1, config.head_size});
    }
    all.push_back({layer_weight(layer, "attn_output"), matrix, width, config.query_columns()});
    all.push_back({layer_weight(layer, "ffn_norm"), norm, 1, width});
    all.push_back({layer_weight(layer, "ffn_gate"), matrix, config.hidden, width});
    all.push_back({layer_weight(layer, "ffn_up"), matrix, config.hidden, width, layer_weight(layer, "ffn_gate")});
    all.push_back({layer_weight(layer, "ffn_down"), matrix, width, config.hidden});
  }
  all.push_back({final_norm_weight, norm, 1, width});
  if (has_head) all.push_back({head_weight, matrix, config.vocabulary, width});
  return all;
}

}  // namespace grout
