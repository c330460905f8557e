// SPDX-License-Identifier: Apache-2.0
// Blocks to planes to device. GGUF stores the rows of attn_q and attn_k for rotary pairs that lie side by side; here
// they go back to the half-split order, row by row, which changes no value.
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "grout/weights.hpp"
#include "grout/weights/weight_table.hpp"
#include "tilewright/kernels/quantized.hpp"

namespace grout {
namespace {

using tilewright::Device;
using tilewright::Shared;
namespace kernels = tilewright::kernels;

std::span<const std::byte> rows_of(const GgufTensor& tensor, index_t first, index_t count) {
  const auto row_bytes = static_cast<std::size_t>(tensor.row_bytes());
  return tensor.data.subspan(static_cast<std::size_t>(first) * row_bytes, static_cast<std::size_t>(count) * row_bytes);
}

void append_rows(kernels::nibble_planes& planes, const GgufTensor& tensor, index_t first, index_t count) {
  const auto append = tensor.block.type == GgmlType::q4_0 ? kernels::append_q4_0 : kernels::append_q4_1;
  append(planes, rows_of(tensor, first, count), count, tensor.row_elements());
}
void append_rows(kernels::byte_planes& planes, const GgufTensor& tensor, index_t first, index_t count) {
  kernels::append_q8_0(planes, rows_of(tensor, first, count), count, tensor.row_elements());
}

template <class Planes>
void append_all(Planes& planes, const GgufTensor& tensor) {
  append_rows(planes, tensor, 0, tensor.rows());
}

// In a head, row 2i + j of the file is row j * head_size / 2 + i of the half-split order.
template <class Planes>
void append_half_split(Planes& planes, const GgufTensor& tensor, index_t head_size) {
  for (index_t row = 0; row < tensor.rows(); ++row) {
    const index_t in_head = row % head_size;
    const index_t source = 2 * (in_head % (head_size / 2)) + in_head / (head_size / 2);
    append_rows(planes, tensor, row - in_head + source, 1);
  }
}

class Loader {
 public:
  Loader(const Gguf& file, const ModelConfig& config, const Device& device)
      : file_(file), config_(config), device_(device) {}

  Shared<float> norm(const std::string& name) const {
    std::vector<float> values(static_cast<std::size_t>(config_.width));
    std::memcpy(values.data(), file_.tensor(name).data.data(), values.size() * sizeof(float));
    return device_.from_host(values, {config_.width}).share();
  }

  Matrix matrix(const std::string& name) const {
    const GgufTensor& tensor = file_.tensor(name);
    return planes_like(tensor, [&](auto& planes) { append_all(planes, tensor); });
  }

  LayerWeights layer(index_t index) const {
    const auto named = [&](const char* part) { return matrix(layer_weight(index, part)); };
    return {.attention_norm = norm(layer_weight(index, "attn_norm")),
            .query_key_value = query_key_value(index),
            .output = named("attn_output"),
            .feed_forward_norm = norm(layer_weight(index, "ffn_norm")),
            .gate = named("ffn_gate"),
            .up = named("ffn_up"),
            .down = named("ffn_down")};
  }

 private:
  // One matrix from the three; check_weights saw that they are of one kind.
  Matrix query_key_value(index_t index) const {
    const GgufTensor& query = file_.tensor(layer_weight(index, "attn_q"));
    return planes_like(query, [&](auto& planes) {
      append_half_split(planes, query, config_.head_size);
      append_half_split(planes, file_.tensor(layer_weight(index, "attn_k")), config_.head_size);
      append_all(planes, file_.tensor(layer_weight(index, "attn_v")));
    });
  }

  // Planes of the kind that the tensor's encoding needs, filled and uploaded.
  template <class Fill>
  Matrix planes_like(const GgufTensor& tensor, const Fill& fill) const {
    if (tensor.block.type == GgmlType::q8_0) {
      kernels::byte_planes planes;
      fill(planes);
      return upload(planes);
    }
    kernels::nibble_planes planes;
    fill(planes);
    return upload(planes);
  }

  Matrix upload(const kernels::byte_planes& planes) const {
    return ByteMatrix{.rows = planes.rows,
                      .columns = planes.columns,
                      .quants = device_.from_host(planes.quants, {planes.rows, planes.columns}).share(),
                      .scales = device_.from_host(planes.scales, {planes.rows, planes.groups()}).share()};
  }
  Matrix upload(const kernels::nibble_planes& planes) const {
    const index_t groups = planes.groups();
    return NibbleMatrix{.rows = planes.rows,
                        .columns = planes.columns,
                        .quants = device_.from_host(planes.quants, {planes.rows, groups, kernels::quant_block}).share(),
                        .scales = device_.from_host(planes.scales, {planes.rows, 2, groups}).share(),
                        .minimums = device_.from_host(planes.minimums, {planes.rows, 2, groups}).share()};
  }

  const Gguf& file_;
  const ModelConfig& config_;
  const Device& device_;
};

}  // namespace

Weights load_weights(const Gguf& file, const ModelConfig& config, const Device& device) {
  check_weights(file, config);
  const Loader loader(file, config, device);
  const bool is_tied = file.find_tensor(head_weight) == nullptr;
  Matrix embedding = loader.matrix(embedding_weight);
  Matrix head = is_tied ? embedding : loader.matrix(head_weight);
  Weights weights{.embedding = std::move(embedding),
                  .head = std::move(head),
                  .is_tied = is_tied,
                  .final_norm = loader.norm(final_norm_weight),
                  .layers = {}};
  for (index_t layer = 0; layer < config.layers; ++layer) weights.layers.push_back(loader.layer(layer));
  return weights;
}

}  // namespace grout
