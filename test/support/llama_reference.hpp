// SPDX-License-Identifier: Apache-2.0
// The forward pass of a Llama or Qwen3 in double precision, straight from the file and written apart from the engine:
// one position after the other, no cache layout, no fusion, a Llama's rotary pairs adjacent as GGUF stores them. With
// 16-bit weights the rows between products are rounded to bf16 where the engine's are, so that only sums are compared.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grout/config.hpp"
#include "grout/dequantize.hpp"
#include "tilewright/base/float16.hpp"

namespace test_support {

class LlamaReference {
 public:
  using Vector = std::vector<double>;

  LlamaReference(const grout::Gguf& file, const grout::ModelConfig& config)
      : file_(&file),
        config_(config),
        is_dense_(file.tensor("token_embd.weight").block.type == grout::GgmlType::bf16),
        keys_(config.layers),
        values_(config.layers) {}

  // Logits after one more token.
  Vector step(std::int32_t id) {
    Vector x = row("token_embd.weight", id);
    for (std::int64_t layer = 0; layer < config_.layers; ++layer) {
      const std::string prefix = "blk." + std::to_string(layer) + ".";
      add(x, attention(prefix, static_cast<std::size_t>(layer), norm(x, prefix + "attn_norm.weight")));
      add(x, feed_forward(prefix, norm(x, prefix + "ffn_norm.weight")));
    }
    ++position_;
    const bool is_tied = file_->find_tensor("output.weight") == nullptr;
    return product(is_tied ? "token_embd.weight" : "output.weight", norm(x, "output_norm.weight"));
  }

  // Logits after each of the tokens.
  std::vector<Vector> steps(const std::vector<std::int32_t>& ids) {
    std::vector<Vector> all;
    for (const auto id : ids) all.push_back(step(id));
    return all;
  }

  static std::int32_t greatest(const Vector& logits) {
    return static_cast<std::int32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
  }

 private:
  static void add(Vector& x, const Vector& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += y[i];
  }

  Vector row(const std::string& name, std::int64_t index) const {
    const auto values = grout::dequantize_row(file_->tensor(name), index);
    return {values.begin(), values.end()};
  }

  const std::vector<Vector>& matrix(const std::string& name) {
    auto& rows = matrices_[name];
    if (rows.empty()) {
      for (std::int64_t i = 0; i < file_->tensor(name).rows(); ++i) rows.push_back(row(name, i));
    }
    return rows;
  }

  Vector product(const std::string& name, const Vector& x) {
    Vector result;
    for (const Vector& weights : matrix(name)) {
      double sum = 0;
      for (std::size_t i = 0; i < x.size(); ++i) sum += weights[i] * x[i];
      result.push_back(sum);
    }
    return result;
  }

  Vector norm(const Vector& x, const std::string& name) {
    double squares = 0;
    for (const double value : x) squares += value * value;
    const double scale =
        1 / std::sqrt(squares / static_cast<double>(x.size()) + static_cast<double>(config_.norm_epsilon));
    const Vector weights = row(name, 0);
    Vector result;
    for (std::size_t i = 0; i < x.size(); ++i) result.push_back(rounded(x[i] * weights[i]) * scale);
    return result;
  }

  // As the engine keeps it between products.
  double rounded(double value) const {
    return is_dense_ ? static_cast<float>(tilewright::bf16(static_cast<float>(value))) : value;
  }
  Vector rounded(Vector x) const {
    for (double& value : x) value = rounded(value);
    return x;
  }

  // Each head normalised, if the model does so.
  Vector with_head_norms(Vector x, const std::string& name) {
    if (!config_.has_head_norms()) return x;
    const Vector weights = row(name, 0);
    const auto size = static_cast<std::size_t>(config_.head_size);
    for (std::size_t head = 0; head < x.size(); head += size) {
      double squares = 0;
      for (std::size_t i = 0; i < size; ++i) squares += x[head + i] * x[head + i];
      const double scale =
          1 / std::sqrt(squares / static_cast<double>(size) + static_cast<double>(config_.norm_epsilon));
      for (std::size_t i = 0; i < size; ++i) x[head + i] *= scale * weights[i];
    }
    return x;
  }

  // A Llama's elements 2i and 2i + 1 of each head turn together, of others i and i + half a head.
  Vector rotated(Vector x) const {
    const auto size = static_cast<std::size_t>(config_.head_size);
    const bool is_adjacent = config_.architecture == grout::Architecture::llama;
    for (std::size_t i = 0; i < x.size() / 2; ++i) {
      const std::size_t head = i / (size / 2) * size, pair = i % (size / 2);
      const std::size_t low_at = is_adjacent ? head + 2 * pair : head + pair;
      const std::size_t high_at = is_adjacent ? low_at + 1 : low_at + size / 2;
      const double frequency =
          std::pow(config_.rotary_base, -2.0 * static_cast<double>(pair) / static_cast<double>(size));
      const double angle = static_cast<double>(position_) * frequency;
      const double low = x[low_at];
      x[low_at] = low * std::cos(angle) - x[high_at] * std::sin(angle);
      x[high_at] = low * std::sin(angle) + x[high_at] * std::cos(angle);
    }
    return x;
  }

  Vector attention(const std::string& prefix, std::size_t layer, const Vector& x) {
    const auto turned = [&](const std::string& part) {
      return rounded(rotated(with_head_norms(product(prefix + part + ".weight", x), prefix + part + "_norm.weight")));
    };
    const Vector query = turned("attn_q");
    keys_[layer].push_back(turned("attn_k"));
    values_[layer].push_back(rounded(product(prefix + "attn_v.weight", x)));
    Vector result;
    for (std::int64_t head = 0; head < config_.heads; ++head) {
      const Vector weighted = attend(query, keys_[layer], values_[layer], head);
      result.insert(result.end(), weighted.begin(), weighted.end());
    }
    return product(prefix + "attn_output.weight", rounded(result));
  }

  Vector attend(const Vector& query, const std::vector<Vector>& keys, const std::vector<Vector>& values,
                std::int64_t head) const {
    const auto size = static_cast<std::size_t>(config_.head_size);
    const auto from = static_cast<std::size_t>(head) * size;
    const auto key_from = static_cast<std::size_t>(head / config_.query_heads_per_key_head()) * size;
    Vector weights;
    for (const Vector& key : keys) {
      double score = 0;
      for (std::size_t i = 0; i < size; ++i) score += query[from + i] * key[key_from + i];
      weights.push_back(score / std::sqrt(static_cast<double>(size)));
    }
    const double most = *std::max_element(weights.begin(), weights.end());
    double sum = 0;
    for (double& weight : weights) sum += weight = std::exp(weight - most);
    Vector result(size);
    for (std::size_t j = 0; j < weights.size(); ++j) {
      for (std::size_t i = 0; i < size; ++i) result[i] += weights[j] / sum * values[j][key_from + i];
    }
    return result;
  }

  Vector feed_forward(const std::string& prefix, const Vector& x) {
    Vector gate = product(prefix + "ffn_gate.weight", x);
    const Vector up = product(prefix + "ffn_up.weight", x);
    for (std::size_t i = 0; i < gate.size(); ++i) gate[i] = gate[i] / (1 + std::exp(-gate[i])) * up[i];
    return product(prefix + "ffn_down.weight", rounded(gate));
  }

  const grout::Gguf* file_;
  grout::ModelConfig config_;
  bool is_dense_;
  std::int64_t position_ = 0;
  std::vector<std::vector<Vector>> keys_, values_;  // (layer, position, columns)
  std::map<std::string, std::vector<Vector>> matrices_;
};

}  // namespace test_support
