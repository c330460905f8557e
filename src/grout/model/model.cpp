// SPDX-License-Identifier: Apache-2.0
#include "grout/model.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "grout/model/attention.hpp"
#include "grout/model/products.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/rotary.hpp"

namespace grout {
namespace {

using tilewright::Device;
using tilewright::dim;
using tilewright::Shape;
using tilewright::Tensor;
namespace kernels = tilewright::kernels;

RotaryAngles make_angles(const Model& model, index_t positions) {
  const auto tables = kernels::make_rotary_tables(positions, model.config().head_size, model.config().rotary_base);
  const Shape shape{tables.positions, tables.pairs};
  return {model.device().from_host(tables.cosines, shape).share(),
          model.device().from_host(tables.sines, shape).share()};
}

// Tokens of the next pass over a prompt: whole tiles first, since tiles that overhang cost more than a further pass.
index_t rows_of_next_pass(index_t left) {
  constexpr index_t large = 64, small = 16;
  if (left >= large) return std::min(left, Sequence::rows_of_a_pass) / large * large;
  return left >= small ? left / small * small : left;
}

template <class Kernel>
Kernel with_heads(const Kernel& kernel, const ModelConfig& config) {
  return kernel.with(dim<kernels::HEADS>(config.query_heads_per_key_head()));
}

[[noreturn]] void refuse(std::string what, std::string expected, std::string got, std::string fix) {
  throw tilewright::usage_error({.what = std::move(what),
                                 .where = "Sequence",
                                 .expected = std::move(expected),
                                 .got = std::move(got),
                                 .fix = std::move(fix)});
}

}  // namespace

Model Model::load(const Gguf& file, const Device& device) {
  const ModelConfig config = read_config(file);
  return Model(config, load_weights(file, config, device), device);
}

Activations::Activations(const ModelConfig& config, index_t row_count, const Device& device)
    : rows(row_count),
      stream(device.empty<float>({rows, config.width})),
      after_attention(device.empty<float>({rows, config.width})),
      normalized(device.empty<float>({rows, config.width})),
      query_key_value(device.empty<float>({rows, config.query_columns() + 2 * config.key_columns()})),
      query(device.empty<float>({rows, config.query_columns()})),
      attended(device.empty<float>({rows, config.query_columns()})),
      hidden(device.empty<float>({rows, config.hidden})) {}

Sequence::Sequence(const Model& model, index_t capacity)
    : model_(model),
      cache_(model.config(), capacity, model.device()),
      angles_(make_angles(model, capacity)),
      row_(model.config(), 1, model.device()),
      parts_(model.config(), capacity, model.device()),
      logits_(model.device().empty<float>({1, model.config().vocabulary})),
      next_(model.device().empty<std::int64_t>({1})),
      greatest_(model.device().empty<float>({1})) {}

void Sequence::check(std::span<const std::int32_t> ids) const {
  if (ids.empty()) refuse("no tokens to append", "at least one id", "none", "pass a prompt that is not empty");
  cache_.require_room(static_cast<index_t>(ids.size()));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && ids[i] < model_.config().vocabulary) continue;
    refuse("a token id is outside the vocabulary", "0 to " + std::to_string(model_.config().vocabulary - 1),
           std::to_string(ids[i]) + " at index " + std::to_string(i), "use the tokenizer of this model's file");
  }
}

void Sequence::append(std::span<const std::int32_t> ids) {
  check(ids);
  while (!ids.empty()) {
    const index_t rows = rows_of_next_pass(static_cast<index_t>(ids.size()));
    const auto part = ids.first(static_cast<std::size_t>(rows));
    ids = ids.subspan(part.size());
    append_pass(std::vector<std::int64_t>(part.begin(), part.end()), ids.empty());
  }
}

void Sequence::append_pass(const std::vector<std::int64_t>& ids, bool is_last) {
  const auto rows = static_cast<index_t>(ids.size());
  const Tensor<std::int64_t> on_device = model_.device().from_host(ids, {rows});
  if (rows == 1) {
    run(row_, on_device);
    if (is_last) finish(row_);
    return;
  }
  Activations pass(model_.config(), rows, model_.device());
  run(pass, on_device);
  if (is_last) finish(pass);
}

void Sequence::append_next() {
  if (length() == 0) refuse("no next token", "a sequence with tokens", "an empty one", "append a prompt first");
  cache_.require_room(1);
  run(row_, next_);
  finish(row_);
}

void Sequence::run(Activations& pass, const Tensor<std::int64_t>& ids) {
  look_up(pass.stream, model_.weights().embedding, ids);
  for (index_t layer = 0; layer < model_.config().layers; ++layer) run_layer(layer, pass);
  cache_.advance(pass.rows);
}

void Sequence::run_layer(index_t layer, Activations& pass) {
  const ModelConfig& config = model_.config();
  const LayerWeights& weights = model_.weights().layers[static_cast<std::size_t>(layer)];
  KvCache::Layer& cache = cache_.layer(layer);
  const index_t first = cache_.length();
  const index_t end = first + pass.rows;
  const index_t pairs = config.head_size / 2;
  const Shape queries{pass.rows, config.heads, 2, pairs}, keys{pass.rows, config.key_heads, 2, pairs};
  const Shape all_heads{pass.rows, config.heads + 2 * config.key_heads, 2, pairs}, head{1, 1, 2, pairs};

  multiply_normalized(pass.query_key_value, pass.stream, weights.attention_norm, config.norm_epsilon,
                      weights.query_key_value, pass.normalized);
  with_heads(kernels::rotary_qkv<float>(), config)(
      pass.query.reshape(queries).partition({1, config.query_heads_per_key_head(), 2, pairs}),
      cache.keys.slice(0, first, end).reshape(keys).partition(head),
      cache.values.slice(0, first, end).reshape(keys).partition(head), pass.query_key_value.reshape(all_heads).borrow(),
      angles_.cosines.borrow(), angles_.sines.borrow(), static_cast<std::int32_t>(first))
      .sync();
  attend(pass.attended, pass.query, cache, end, config, parts_);
  multiply_add(pass.after_attention, pass.stream, pass.attended, weights.output);
  multiply_gated(pass.hidden, pass.after_attention, weights.feed_forward_norm, config.norm_epsilon, weights,
                 pass.normalized);
  multiply_add(pass.stream, pass.after_attention, pass.hidden, weights.down);
}

void Sequence::finish(const Activations& pass) {
  const ModelConfig& config = model_.config();
  multiply_head(logits_, pass.stream, pass.rows - 1, model_.weights().final_norm, config.norm_epsilon,
                model_.weights().head);
  kernels::argmax_row_value<float>()(next_.partition({1}), greatest_.partition({1}), logits_.borrow()).sync();
}

std::vector<float> Sequence::logits() const {
  if (length() == 0) refuse("no logits", "a sequence with tokens", "an empty one", "append a prompt first");
  return logits_.to_host();
}

std::int32_t Sequence::next() const {
  if (length() == 0) refuse("no next token", "a sequence with tokens", "an empty one", "append a prompt first");
  const float greatest = greatest_.to_host().front();
  if (std::isfinite(greatest)) return static_cast<std::int32_t>(next_.to_host().front());
  throw tilewright::runtime_error({.what = "the model's logits are not finite",
                                   .where = "Sequence, after " + std::to_string(length()) + " tokens",
                                   .expected = "finite numbers",
                                   .got = std::to_string(greatest),
                                   .fix = "the weights are damaged or overflow; get the model file again"});
}

}  // namespace grout
