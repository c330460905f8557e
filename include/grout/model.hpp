// SPDX-License-Identifier: Apache-2.0
// A Llama or a Qwen3: its weights on a device, and the sequences that run through them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "grout/config.hpp"
#include "grout/weights.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace grout {

// Immutable; any number of sequences may use one.
class TILEWRIGHT_API Model {
 public:
  // Throws what read_config and load_weights throw, and out_of_memory.
  static Model load(const Gguf& file, const tilewright::Device& device, const UploadProgress& progress = {});
  // Of random weights; see random_weights. usage_error for a configuration whose products no kernel takes.
  static Model random(const ModelConfig& config, bool is_tied, const tilewright::Device& device);

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

// One text in progress: the keys and values of its tokens, and the logits after the last. One thread at a time; the
// model must outlive it.
class TILEWRIGHT_API Sequence {
 public:
  // Room for `capacity` tokens; usage_error unless 1 <= capacity <= the model's context.
  Sequence(const Model& model, index_t capacity);
  Sequence(const Model&& model, index_t capacity) = delete;
  Sequence(Sequence&&) noexcept;
  ~Sequence();

  index_t length() const noexcept;
  index_t capacity() const noexcept;

  // Appends tokens (prefill), in passes of at most `rows_of_a_pass`. usage_error, sequence unchanged: no ids, an id
  // outside the vocabulary, more than the capacity.
  void append(std::span<const std::int32_t> ids);
  // Appends the token that next() names (decode), without the host in between: one graph, replayed.
  void append_next();

  // What each kernel of the last step by append_next() costs. usage_error without one. Ends the sequence's sense: what
  // it holds afterwards means nothing.
  std::vector<tilewright::KernelTime> profile_step();

  // After the last token. usage_error for an empty sequence.
  std::vector<float> logits() const;  // (vocabulary)
  // The id of the greatest logit, the lowest among equals. runtime_error when a logit is NaN or infinite upwards.
  std::int32_t next() const;

  static constexpr index_t rows_of_a_pass = 256;

 private:
  struct Parts;

  void check(std::span<const std::int32_t> ids) const;

  const Model& model_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace grout
