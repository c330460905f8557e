// SPDX-License-Identifier: Apache-2.0
// A Llama's weights on a device, still quantised: the blocks of the file are repacked once into planes.
#pragma once

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
  tilewright::Shared<tilewright::i8> quants;  // (rows, columns)
  tilewright::Shared<float> scales;           // (rows, columns / 32)
};

// As the file has it: Q4_0 and Q4_1 become nibbles, Q8_0 bytes.
using Matrix = std::variant<NibbleMatrix, ByteMatrix>;

struct LayerWeights {
  tilewright::Shared<float> attention_norm;  // (width)
  Matrix query_key_value;                    // rows: queries, keys, values; heads in half-split rotary order
  Matrix output;
  tilewright::Shared<float> feed_forward_norm;  // (width)
  Matrix gate, up;                              // of one kind
  Matrix down;
};

struct Weights {
  Matrix embedding;                      // (vocabulary, width)
  Matrix head;                           // the same tensors as the embedding when tied
  bool is_tied;                          // the file has no output.weight
  tilewright::Shared<float> final_norm;  // (width)
  std::vector<LayerWeights> layers;
};

// io_error naming file and tensor: one that is missing, of another shape than the configuration says, of an encoding
// that no kernel takes or that does not go with its neighbours', or one that the model would leave out (a bias, say).
// Reads no weight.
TILEWRIGHT_API void check_weights(const Gguf& file, const ModelConfig& config);

// check_weights, then everything onto the device. The file is not needed afterwards.
TILEWRIGHT_API Weights load_weights(const Gguf& file, const ModelConfig& config, const tilewright::Device& device);

}  // namespace grout
