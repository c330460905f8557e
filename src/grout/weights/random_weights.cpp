// SPDX-License-Identifier: Apache-2.0
// Random weights on a device: a piece of a few MiB is made on the host and repeated there, so that gigabytes are ready
// as fast as the device writes them.
#include <utility>

#include "grout/weights.hpp"
#include "tilewright/kernels/dims.hpp"
#include "tilewright/lang/lang.hpp"

namespace grout {
namespace {

using tilewright::bf16;
using tilewright::Device;
using tilewright::Shape;
using tilewright::Shared;
using tilewright::Tensor;

constexpr index_t piece_elements = index_t{1} << 21, block_elements = 4096;
constexpr float deviation = 0.02F;

// z in pieces of BN elements: those of x, over and over.
constexpr auto repeated = tilewright::kernel<"repeated">(
    [](tilewright::Block b, tilewright::Out<bf16, tilewright::kernels::BN> z, tilewright::In<bf16, tilewright::dyn> x) {
      auto pieces = x.partition(tilewright::tile<tilewright::kernels::BN>);
      z.store(pieces.load(b.pid(0) % pieces.tiles(0), tilewright::pad(0)));
    });

class Maker {
 public:
  Maker(const ModelConfig& config, const Device& device)
      : config_(config), device_(device), piece_(make_piece(device)) {}

  Matrix matrix(index_t rows, index_t columns) const {
    Tensor<bf16> values = device_.empty<bf16>({rows, columns});
    repeated(values.reshape({rows * columns}).partition({block_elements}), piece_.borrow()).sync();
    return DenseMatrix{.rows = rows, .columns = columns, .values = std::move(values).share()};
  }
  Shared<float> norm(const Shape& shape) const { return device_.full<float>(shape, 1.0F).share(); }

  LayerWeights layer() const {
    const Shape head{2, config_.head_size / 2};
    std::optional<HeadNorms> norms;
    if (config_.has_head_norms()) norms = HeadNorms{.query = norm(head), .key = norm(head)};
    return {.attention_norm = norm({config_.width}),
            .query_key_value = matrix(config_.query_columns() + 2 * config_.key_columns(), config_.width),
            .head_norms = std::move(norms),
            .output = matrix(config_.width, config_.query_columns()),
            .feed_forward_norm = norm({config_.width}),
            .gate = matrix(2 * config_.hidden, config_.width),
            .up = std::nullopt,
            .down = matrix(config_.width, config_.hidden)};
  }

 private:
  static Shared<bf16> make_piece(const Device& device) {
    const auto normal = tilewright::interp_device().randn<float>({piece_elements}, 1).to_host();
    std::vector<bf16> values;
    values.reserve(normal.size());
    for (const float value : normal) values.push_back(bf16(deviation * value));
    return device.from_host(values, {piece_elements}).share();
  }

  const ModelConfig& config_;
  const Device& device_;
  Shared<bf16> piece_;
};

std::size_t bytes_of(const Matrix& matrix) {
  const auto size = [](index_t elements, std::size_t bytes) { return static_cast<std::size_t>(elements) * bytes; };
  if (const auto* dense = std::get_if<DenseMatrix>(&matrix)) return size(dense->rows * dense->columns, sizeof(bf16));
  if (const auto* bytes = std::get_if<ByteMatrix>(&matrix)) {
    return size(bytes->rows * bytes->columns, 1) + size(bytes->rows * bytes->columns / 32, sizeof(float));
  }
  const auto& nibbles = std::get<NibbleMatrix>(matrix);
  return size(nibbles.rows * nibbles.columns / 2, 1) + size(nibbles.rows * nibbles.columns / 16, sizeof(float));
}

std::size_t layer_bytes(const LayerWeights& layer) {
  return bytes_of(layer.query_key_value) + bytes_of(layer.output) + bytes_of(layer.gate) +
         (layer.up ? bytes_of(*layer.up) : 0) + bytes_of(layer.down);
}

}  // namespace

Weights random_weights(const ModelConfig& config, bool is_tied, const Device& device) {
  const Maker maker(config, device);
  Matrix embedding = maker.matrix(config.vocabulary, config.width);
  Matrix head = is_tied ? embedding : maker.matrix(config.vocabulary, config.width);
  Weights weights{.embedding = std::move(embedding),
                  .head = std::move(head),
                  .is_tied = is_tied,
                  .final_norm = maker.norm({config.width}),
                  .layers = {}};
  for (index_t layer = 0; layer < config.layers; ++layer) weights.layers.push_back(maker.layer());
  return weights;
}

std::size_t streamed_bytes(const Weights& weights) {
  std::size_t bytes = bytes_of(weights.head);
  for (const LayerWeights& layer : weights.layers) bytes += layer_bytes(layer);
  return bytes;
}

std::size_t weight_bytes(const Weights& weights) {
  return streamed_bytes(weights) + (weights.is_tied ? 0 : bytes_of(weights.embedding));
}

}  // namespace grout
