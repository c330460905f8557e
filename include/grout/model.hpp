// SPDX-License-Identifier: Apache-2.0
// A Llama: its weights on a device, and the sequences that run through them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "grout/config.hpp"
#include "grout/kv_cache.hpp"
#include "grout/weights.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace grout {

// Immutable; any number of sequences may use one.
class TILEWRIGHT_API Model {
 public:
  // Throws what read_config and load_weights throw, and out_of_memory.
  static Model load(const Gguf& file, const tilewright::Device& device);

  const ModelConfig& config() const noexcept { return config_; }
  const Weights& weights() const noexcept { return weights_; }
  const tilewright::Device& device() const noexcept { return device_; }

 private:
  Model(const ModelConfig& config, Weights weights, const tilewright::Device& device)
      : config_(config), weights_(std::move(weights)), device_(device) {}

  ModelConfig config_;
  Weights weights_;
  tilewright::Device device_;
};

// The tensors that a pass over some rows (tokens) works in.
struct Activations {
  Activations(const ModelConfig& config, index_t row_count, const tilewright::Device& device);

  index_t rows;
  tilewright::Tensor<float> stream;           // (rows, width): the residual stream between layers
  tilewright::Tensor<float> after_attention;  // (rows, width): the same inside a layer
  tilewright::Tensor<float> normalized;       // (rows, width); unused by few rows, whose products normalise
  tilewright::Tensor<float> query_key_value;  // (rows, query columns + 2 key columns)
  tilewright::Tensor<float> query;            // (rows, query columns)
  tilewright::Tensor<float> attended;         // (rows, query columns)
  tilewright::Tensor<float> hidden;           // (rows, hidden)
};

// What one row's attention works in when its keys are many: results over parts of them.
struct AttentionParts {
  AttentionParts(const ModelConfig& config, index_t capacity, const tilewright::Device& device);

  index_t most;                        // a power of two
  tilewright::Tensor<float> values;    // (most, query columns)
  tilewright::Tensor<float> log_sums;  // (most, heads)
};

// The angles of every position, (positions, head size / 2) each.
struct RotaryAngles {
  tilewright::Shared<float> cosines, sines;
};

// One text in progress: the keys and values of its tokens, and the logits after the last. One thread at a time; the
// model must outlive it.
class TILEWRIGHT_API Sequence {
 public:
  // Room for `capacity` tokens; usage_error unless 1 <= capacity <= the model's context.
  Sequence(const Model& model, index_t capacity);
  Sequence(const Model&& model, index_t capacity) = delete;

  index_t length() const noexcept { return cache_.length(); }
  index_t capacity() const noexcept { return cache_.capacity(); }

  // Appends tokens (prefill), in passes of at most `rows_of_a_pass`. usage_error, sequence unchanged: no ids, an id
  // outside the vocabulary, more than the capacity.
  void append(std::span<const std::int32_t> ids);
  // Appends the token that next() names (decode), without the host in between.
  void append_next();

  // After the last token. usage_error for an empty sequence.
  std::vector<float> logits() const;  // (vocabulary)
  // The id of the greatest logit, the lowest among equals. runtime_error when a logit is NaN or infinite upwards.
  std::int32_t next() const;

  static constexpr index_t rows_of_a_pass = 256;

 private:
  void check(std::span<const std::int32_t> ids) const;
  void append_pass(const std::vector<std::int64_t>& ids, bool is_last);
  void run(Activations& pass, const tilewright::Tensor<std::int64_t>& ids);
  void run_layer(index_t layer, Activations& pass);
  void finish(const Activations& pass);

  const Model& model_;
  KvCache cache_;
  RotaryAngles angles_;
  Activations row_;  // of one token
  AttentionParts parts_;
  tilewright::Tensor<float> logits_;       // (1, vocabulary)
  tilewright::Tensor<std::int64_t> next_;  // (1)
  tilewright::Tensor<float> greatest_;     // (1): the logit of next_
};

}  // namespace grout
