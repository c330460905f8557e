// SPDX-License-Identifier: Apache-2.0
// The one forward pass, for both kinds of weights.
#include "grout/model/sequence_state.hpp"

#include <bit>

#include "grout/model/products.hpp"
#include "tilewright/kernels/argmax.hpp"
#include "tilewright/kernels/rotary.hpp"

namespace grout {
namespace {

using tilewright::bf16;
using tilewright::dim;
using tilewright::Shape;
using tilewright::Tensor;
namespace kernels = tilewright::kernels;

constexpr index_t argmax_columns = 1024;

RotaryAngles make_angles(const Model& model, index_t positions) {
  const auto tables = kernels::make_rotary_tables(positions, model.config().head_size, model.config().rotary_base);
  const Shape shape{tables.positions, tables.pairs};
  return {model.device().from_host(tables.cosines, shape).share(),
          model.device().from_host(tables.sines, shape).share()};
}

// Queries and keys turned, keys and values to their rows of the cache.
template <class T>
void turn(Activations<T>& pass, typename KvCache<T>::Layer& cache, index_t first, const LayerWeights& weights,
          const ModelConfig& config, const RotaryAngles& angles) {
  const index_t pairs = config.head_size / 2, sharing = config.query_heads_per_key_head(), end = first + pass.rows;
  const Shape queries{pass.rows, config.heads, 2, pairs}, keys{pass.rows, config.key_heads, 2, pairs};
  const Shape all_heads{pass.rows, config.heads + 2 * config.key_heads, 2, pairs}, head{1, 1, 2, pairs};
  const auto sharing_heads = dim<kernels::HEADS>(sharing);
  // The copy engine's way is the longer one for so little.
  const auto schedule = [&](const auto& kernel) {
    return kernel.with(sharing_heads, tilewright::programmatic, tilewright::tma = false);
  };
  const auto position = static_cast<std::int32_t>(first);
  if (weights.head_norms) {
    schedule(kernels::norm_rotary_qkv<T>())(
        pass.query.reshape(queries).partition({1, sharing, 2, pairs}),
        cache.keys.slice(0, first, end).reshape(keys).partition(head),
        cache.values.slice(0, first, end).reshape(keys).partition(head),
        pass.query_key_value.reshape(all_heads).borrow(), weights.head_norms->query.borrow(),
        weights.head_norms->key.borrow(), config.norm_epsilon, angles.cosines.borrow(), angles.sines.borrow(), position)
        .sync();
  } else {
    schedule(kernels::rotary_qkv<T>())(pass.query.reshape(queries).partition({1, sharing, 2, pairs}),
                                       cache.keys.slice(0, first, end).reshape(keys).partition(head),
                                       cache.values.slice(0, first, end).reshape(keys).partition(head),
                                       pass.query_key_value.reshape(all_heads).borrow(), angles.cosines.borrow(),
                                       angles.sines.borrow(), position)
        .sync();
  }
}

// What depends on the place of the pass's tokens in the text.
template <class T>
void run_places(const Model& model, SequenceState<T>& state, index_t layer, Activations<T>& pass) {
  const LayerWeights& weights = model.weights().layers[static_cast<std::size_t>(layer)];
  typename KvCache<T>::Layer& cache = state.cache.layer(layer);
  const index_t first = state.cache.length();
  turn(pass, cache, first, weights, model.config(), state.angles);
  attend(pass.attended, pass.query, cache, first + pass.rows, model.config(), state.parts);
}

// `run_at_places` runs run_places(), and may look at what it records.
template <class T, class Run>
void run_layer(const Model& model, SequenceState<T>& state, index_t layer, Activations<T>& pass,
               const Run& run_at_places) {
  const ModelConfig& config = model.config();
  const auto& layers = model.weights().layers;
  const LayerWeights& weights = layers[static_cast<std::size_t>(layer)];
  const bool is_last = layer + 1 == config.layers;
  const Norm attention{weights.attention_norm, config.norm_epsilon};
  const Norm feed_forward{weights.feed_forward_norm, config.norm_epsilon};
  const Norm next{is_last ? model.weights().final_norm : layers[static_cast<std::size_t>(layer + 1)].attention_norm,
                  config.norm_epsilon};

  multiply_normalized(pass.query_key_value, pass.stream, 0, attention, weights.query_key_value);
  run_at_places(layer);
  finish_attention(pass.attended, config, state.parts);
  multiply_add(pass.after_attention, pass.stream, pass.attended, weights.output, feed_forward);
  multiply_gated(pass.hidden, pass.after_attention, feed_forward, weights);
  multiply_add(pass.stream, pass.after_attention, pass.hidden, weights.down, next);
}

template <class T>
void finish(const Model& model, Activations<T>& pass, Outcome& out) {
  const Norm final_norm{model.weights().final_norm, model.config().norm_epsilon};
  multiply_normalized(out.logits, pass.stream, pass.rows - 1, final_norm, model.weights().head);
  const Shape one{1, 1};
  kernels::argmax_pieces<float>()
      .with(dim<kernels::BN>(argmax_columns), tilewright::programmatic)(
          out.piece_place.partition(one), out.piece_greatest.partition(one), out.logits.borrow())
      .sync();
  const auto pieces = static_cast<std::uint64_t>(out.piece_place.shape()[1]);
  kernels::argmax_join<float>()
      .with(dim<kernels::PIECES>(static_cast<index_t>(std::bit_ceil(pieces))), tilewright::programmatic)(
          out.next.partition(one), out.greatest.partition(one), out.piece_place.borrow(), out.piece_greatest.borrow())
      .sync();
}

index_t argmax_pieces_of(const ModelConfig& config) {
  return (config.vocabulary + argmax_columns - 1) / argmax_columns;
}

}  // namespace

Outcome::Outcome(const ModelConfig& config, const tilewright::Device& device)
    : logits(device.empty<float>({1, config.vocabulary})),
      piece_place(device.empty<std::int64_t>({1, argmax_pieces_of(config)})),
      piece_greatest(device.empty<float>({1, argmax_pieces_of(config)})),
      next(device.empty<std::int64_t>({1, 1})),
      greatest(device.empty<float>({1, 1})) {}

template <class T>
SequenceState<T>::SequenceState(const Model& model, index_t capacity)
    : cache(model.config(), capacity, model.device()),
      angles(make_angles(model, capacity)),
      row(model.config(), 1, model.device()),
      parts(make_parts(model.config(), cache, model.device())) {}

namespace {

template <class T, class Run>
void run_layers(const Model& model, SequenceState<T>& state, Activations<T>& pass, const Tensor<std::int64_t>& ids,
                Outcome* outcome, const Run& run_at_places) {
  const Norm first{model.weights().layers.front().attention_norm, model.config().norm_epsilon};
  look_up(pass.stream, model.weights().embedding, ids, first);
  for (index_t layer = 0; layer < model.config().layers; ++layer) run_layer(model, state, layer, pass, run_at_places);
  if (outcome != nullptr) finish(model, pass, *outcome);
}

}  // namespace

template <class T>
void run_pass(const Model& model, SequenceState<T>& state, Activations<T>& pass, const Tensor<std::int64_t>& ids,
              Outcome* outcome) {
  run_layers(model, state, pass, ids, outcome, [&](index_t layer) { run_places(model, state, layer, pass); });
}

template <class T>
void run_step(const Model& model, SequenceState<T>& state, const Tensor<std::int64_t>& ids, Outcome& outcome,
              std::vector<int>& moving) {
  moving.clear();
  run_layers(model, state, state.row, ids, &outcome, [&](index_t layer) {
    const int before = tilewright::recorded_launches();
    run_places(model, state, layer, state.row);
    for (int node = before; node < tilewright::recorded_launches(); ++node) moving.push_back(node);
  });
}

template <class T>
void run_moving(const Model& model, SequenceState<T>& state) {
  for (index_t layer = 0; layer < model.config().layers; ++layer) run_places(model, state, layer, state.row);
}

template struct SequenceState<float>;
template struct SequenceState<bf16>;
template void run_pass(const Model&, SequenceState<float>&, Activations<float>&, const Tensor<std::int64_t>&, Outcome*);
template void run_pass(const Model&, SequenceState<bf16>&, Activations<bf16>&, const Tensor<std::int64_t>&, Outcome*);
template void run_step(const Model&, SequenceState<float>&, const Tensor<std::int64_t>&, Outcome&, std::vector<int>&);
template void run_step(const Model&, SequenceState<bf16>&, const Tensor<std::int64_t>&, Outcome&, std::vector<int>&);
template void run_moving(const Model&, SequenceState<float>&);
template void run_moving(const Model&, SequenceState<bf16>&);

}  // namespace grout
