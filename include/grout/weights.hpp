// SPDX-License-Identifier: Apache-2.0
// A model's weights on a device: still quantised, the blocks of the file repacked once into planes, or dense in 16
// bits.
#pragma once

#include <functional>
#include <optional>
#include <variant>
#include <vector>

#include "grout/config.hpp"
#include "grout/gguf.hpp"
#include "tilewright/base/config.hpp"
#include "tilewright/runtime/runtime.hpp"

namespace grout {

// 4-bit planes (kernels/quantized.hpp); a row is one output, groups = columns / 64.
struct NibbleMatrix {
  index_t rows = 0;
  index_t columns = 0;
  tilewright::Shared<tilewright::u8> quants;  // (rows, groups, 32)
  tilewright::Shared<float> scales;           // (rows, 2, groups)
  tilewright::Shared<float> minimums;         // (rows, 2, groups)
};

// 8-bit planes.
struct ByteMatrix {
  index_t rows = 0;
  index_t columns = 0;
  tilewright::Shared<tilewright::i8> quants;  // (rows, columns / 32, 32)
  tilewright::Shared<float> scales;           // (rows, columns / 32)
};

struct DenseMatrix {
  index_t rows = 0;
  index_t columns = 0;
  tilewright::Shared<tilewright::bf16> values;  // (rows, columns)
};

// As the file has it: Q4_0 and Q4_1 become nibbles, Q8_0 bytes, BF16 stays. All of a model are dense, or none is.
using Matrix = std::variant<NibbleMatrix, ByteMatrix, DenseMatrix>;

// Of each head, (2, head size / 2).
struct HeadNorms {
  tilewright::Shared<float> query, key;
};

struct LayerWeights {
  tilewright::Shared<float> attention_norm;  // (width)
  Matrix query_key_value;                    // rows: queries, keys, values; heads in half-split rotary order
  std::optional<HeadNorms> head_norms;
  Matrix output;
  tilewright::Shared<float> feed_forward_norm;  // (width)
  Matrix gate;                                  // dense: rows of up too, kernels::gate_rows of each in turn
  std::optional<Matrix> up;                     // quantised: of gate's kind
  Matrix down;
};

struct Weights {
  Matrix embedding;                      // (vocabulary, width)
  Matrix head;                           // the same tensors as the embedding when tied
  bool is_tied;                          // the file has no output.weight
  tilewright::Shared<float> final_norm;  // (width)
  std::vector<LayerWeights> layers;

  bool is_dense() const { return std::holds_alternative<DenseMatrix>(embedding); }
};

// Told after each part of the weights is on the device, and of all: the bytes there.
using UploadProgress = std::function<void(std::size_t bytes, std::size_t all_bytes)>;

// io_error naming file and tensor: one that is missing, of another shape than the configuration says, of an encoding
// that no kernel takes or that does not go with its neighbours', or one that the model would leave out (a bias, say).
// Reads no weight.
TILEWRIGHT_API void check_weights(const Gguf& file, const ModelConfig& config);

// check_weights, then everything onto the device. The file is not needed afterwards.
TILEWRIGHT_API Weights load_weights(const Gguf& file, const ModelConfig& config, const tilewright::Device& device,
                                    const UploadProgress& progress = {});
// Dense random weights that keep activations near 1: for measurements, where only shapes count.
TILEWRIGHT_API Weights random_weights(const ModelConfig& config, bool is_tied, const tilewright::Device& device);
// Bytes of all weights on the device; those that a step of one token reads (of an untied embedding: nothing).
TILEWRIGHT_API std::size_t weight_bytes(const Weights& weights);
TILEWRIGHT_API std::size_t streamed_bytes(const Weights& weights);

}  // namespace grout
