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

void append_rows(kernels::nibble_planes& planes, const GgufTensor& tensor, index_t first, index_t count) {
  const auto row_bytes = static_cast<std::size_t>(tensor.row_bytes());
  const auto rows =
      tensor.data.subspan(static_cast<std::size_t>(first) * row_bytes, static_cast<std::size_t>(count) * row_bytes);
  const auto append = tensor.block.type == GgmlType::q4_0 ? kernels::append_q4_0 : kernels::append_q4_1;
  append(planes, rows, count, tensor.row_elements());
}

void append_all(kernels::nibble_planes& planes, const GgufTensor& tensor) {
  append_rows(planes, tensor, 0, tensor.rows());
}

// In a head, row 2i + j of the file is row j * head_size / 2 + i of the half-split order.
void append_half_split(kernels::nibble_planes& planes, const GgufTensor& tensor, index_t head_size) {
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

  ByteMatrix bytes(const char* name) const {
    const GgufTensor& tensor = file_.tensor(name);
    kernels::byte_planes planes;
    kernels::append_q8_0(planes, tensor.data, tensor.rows(), tensor.row_elements());
    return {.rows = planes.rows,
            .columns = planes.columns,
            .quants = device_.from_host(planes.quants, {planes.rows, planes.columns}).share(),
            .scales = device_.from_host(planes.scales, {planes.rows, planes.groups()}).share()};
  }

  LayerWeights layer(index_t index) const {
    const auto named = [&](const char* part) -> const GgufTensor& { return file_.tensor(layer_weight(index, part)); };
    kernels::nibble_planes query_key_value;
    append_half_split(query_key_value, named("attn_q"), config_.head_size);
    append_half_split(query_key_value, named("attn_k"), config_.head_size);
    append_all(query_key_value, named("attn_v"));
    return {.attention_norm = norm(layer_weight(index, "attn_norm")),
            .query_key_value = upload(query_key_value),
            .output = nibbles(named("attn_output")),
            .feed_forward_norm = norm(layer_weight(index, "ffn_norm")),
            .gate = nibbles(named("ffn_gate")),
            .up = nibbles(named("ffn_up")),
            .down = nibbles(named("ffn_down"))};
  }

 private:
  NibbleMatrix nibbles(const GgufTensor& tensor) const {
    kernels::nibble_planes planes;
    append_all(planes, tensor);
    return upload(planes);
  }

  NibbleMatrix upload(const kernels::nibble_planes& planes) const {
    const index_t groups = planes.groups();
    return {.rows = planes.rows,
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
  ByteMatrix embedding = loader.bytes(embedding_weight);
  ByteMatrix head = is_tied ? embedding : loader.bytes(head_weight);
  Weights weights{.embedding = std::move(embedding),
                  .head = std::move(head),
                  .is_tied = is_tied,
                  .final_norm = loader.norm(final_norm_weight),
                  .layers = {}};
  for (index_t layer = 0; layer < config.layers; ++layer) weights.layers.push_back(loader.layer(layer));
  return weights;
}

}  // namespace grout
