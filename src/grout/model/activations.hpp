// SPDX-License-Identifier: Apache-2.0
// The tensors that a pass over some rows (tokens) works in. T is what products take: float where weights are quantised,
// whose kernels normalise their rows themselves; bf16 where they are dense, whose rows come prepared for the norm by
// whoever writes the stream (kernels/dense_product.hpp).
#pragma once

#include "grout/config.hpp"
#include "grout/weights.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace grout {

// The residual stream, f32 for both.
template <class T>
struct Stream;

template <>
struct Stream<float> {
  Stream(const ModelConfig& config, index_t rows, const tilewright::Device& device);

  tilewright::Tensor<float> values;      // (rows, width)
  tilewright::Tensor<float> normalized;  // (rows, width): scratch of products with many rows
};

template <>
struct Stream<tilewright::bf16> {
  Stream(const ModelConfig& config, index_t rows, const tilewright::Device& device);

  tilewright::Tensor<float> values;             // (rows, width)
  tilewright::Tensor<tilewright::bf16> scaled;  // (rows, width): values * weights of the norm that comes next
  tilewright::Tensor<float> squares;            // (rows, pieces): sums of squares of the values' pieces
};

template <class T>
struct Activations {
  Activations(const ModelConfig& config, index_t row_count, const tilewright::Device& device)
      : rows(row_count),
        stream(config, rows, device),
        after_attention(config, rows, device),
        query_key_value(device.empty<float>({rows, config.query_columns() + 2 * config.key_columns()})),
        query(device.empty<T>({rows, config.query_columns()})),
        attended(device.empty<T>({rows, config.query_columns()})),
        hidden(device.empty<T>({rows, config.hidden})) {}

  index_t rows;
  Stream<T> stream;                           // between layers
  Stream<T> after_attention;                  // inside a layer
  tilewright::Tensor<float> query_key_value;  // (rows, query columns + 2 key columns)
  tilewright::Tensor<T> query;                // (rows, query columns)
  tilewright::Tensor<T> attended;             // (rows, query columns)
  tilewright::Tensor<T> hidden;               // (rows, hidden)
};

// What one row's attention works in when its keys are many: results over parts of them.
struct AttentionParts {
  AttentionParts(const ModelConfig& config, index_t most_parts, index_t steps, const tilewright::Device& device);

  index_t most;                        // parts of a whole cache
  index_t steps;                       // key tiles of one
  tilewright::Tensor<float> values;    // (most, query columns)
  tilewright::Tensor<float> log_sums;  // (most, heads)
};

// What a pass leaves: logits of its last row, and the greatest of them.
struct Outcome {
  Outcome(const ModelConfig& config, const tilewright::Device& device);

  tilewright::Tensor<float> logits;              // (1, vocabulary)
  tilewright::Tensor<std::int64_t> piece_place;  // (1, pieces): of the greatest logit of each piece
  tilewright::Tensor<float> piece_greatest;      // (1, pieces)
  tilewright::Tensor<std::int64_t> next;         // (1, 1)
  tilewright::Tensor<float> greatest;            // (1, 1): the logit of next
};

// The angles of every position, (positions, head size / 2) each.
struct RotaryAngles {
  tilewright::Shared<float> cosines, sines;
};

}  // namespace grout
