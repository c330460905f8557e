// SPDX-License-Identifier: Apache-2.0
// Tensors of the file to device. GGUF stores the rows of a Llama's attn_q and attn_k for rotary pairs that lie side by
// side; here they go back to the half-split order, row by row, which changes no value.
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "grout/weights.hpp"
#include "grout/weights/weight_table.hpp"
#include "tilewright/kernels/dense_product.hpp"
#include "tilewright/kernels/quantized.hpp"

namespace grout {
namespace {

using tilewright::bf16;
using tilewright::Device;
using tilewright::Shared;
namespace kernels = tilewright::kernels;

std::span<const std::byte> rows_of(const GgufTensor& tensor, index_t first, index_t count) {
  const auto row_bytes = static_cast<std::size_t>(tensor.row_bytes());
  return tensor.data.subspan(static_cast<std::size_t>(first) * row_bytes, static_cast<std::size_t>(count) * row_bytes);
}

// A dense matrix on the host.
struct dense_rows {
  index_t rows = 0;
  index_t columns = 0;
  std::vector<bf16> values;
};

void append_rows(kernels::nibble_planes& planes, const GgufTensor& tensor, index_t first, index_t count) {
  const auto append = tensor.block.type == GgmlType::q4_0 ? kernels::append_q4_0 : kernels::append_q4_1;
  append(planes, rows_of(tensor, first, count), count, tensor.row_elements());
}
void append_rows(kernels::byte_planes& planes, const GgufTensor& tensor, index_t first, index_t count) {
  kernels::append_q8_0(planes, rows_of(tensor, first, count), count, tensor.row_elements());
}
void append_rows(dense_rows& matrix, const GgufTensor& tensor, index_t first, index_t count) {
  const auto bytes = rows_of(tensor, first, count);
  const std::size_t before = matrix.values.size();
  matrix.values.resize(before + bytes.size() / sizeof(bf16));
  std::memcpy(matrix.values.data() + before, bytes.data(), bytes.size());
  matrix.rows += count;
  matrix.columns = tensor.row_elements();
}

template <class Rows>
void append_all(Rows& rows, const GgufTensor& tensor) {
  append_rows(rows, tensor, 0, tensor.rows());
}

// In a head, row 2i + j of the file is row j * head_size / 2 + i of the half-split order.
template <class Rows>
void append_half_split(Rows& rows, const GgufTensor& tensor, index_t head_size) {
  for (index_t row = 0; row < tensor.rows(); ++row) {
    const index_t in_head = row % head_size;
    const index_t source = 2 * (in_head % (head_size / 2)) + in_head / (head_size / 2);
    append_rows(rows, tensor, row - in_head + source, 1);
  }
}

// Bytes of the tensors of the file, told as they are uploaded.
class Progress {
 public:
  Progress(const Gguf& file, const UploadProgress& tell) : tell_(tell) {
    for (const GgufTensor& tensor : file.tensors()) all_bytes_ += tensor.data.size();
  }
  void add(const GgufTensor& tensor) {
    bytes_ += tensor.data.size();
    if (tell_) tell_(bytes_, all_bytes_);
  }

 private:
  const UploadProgress& tell_;
  std::size_t bytes_ = 0, all_bytes_ = 0;
};

class Loader {
 public:
  Loader(const Gguf& file, const ModelConfig& config, const Device& device, const UploadProgress& tell)
      : file_(file), config_(config), device_(device), progress_(file, tell) {}

  Shared<float> norm(const std::string& name) { return norm(name, {config_.width}); }

  Matrix matrix(const std::string& name) {
    const GgufTensor& tensor = file_.tensor(name);
    Matrix made = uploaded(tensor, [&](auto& rows) { append_all(rows, tensor); });
    progress_.add(tensor);
    return made;
  }

  LayerWeights layer(index_t index) {
    const auto name = [&](const char* part) { return layer_weight(index, part); };
    Shared<float> attention_norm = norm(name("attn_norm"));
    Matrix query_key_value = joint(index);
    std::optional<HeadNorms> norms = head_norms(index);
    Matrix output = matrix(name("attn_output"));
    Shared<float> feed_forward_norm = norm(name("ffn_norm"));
    Matrix gate = is_dense() ? gate_and_up(index) : matrix(name("ffn_gate"));
    std::optional<Matrix> up;
    if (!is_dense()) up = matrix(name("ffn_up"));
    return {.attention_norm = std::move(attention_norm),
            .query_key_value = std::move(query_key_value),
            .head_norms = std::move(norms),
            .output = std::move(output),
            .feed_forward_norm = std::move(feed_forward_norm),
            .gate = std::move(gate),
            .up = std::move(up),
            .down = matrix(name("ffn_down"))};
  }

 private:
  bool is_dense() const { return file_.tensor(embedding_weight).block.type == GgmlType::bf16; }

  Shared<float> norm(const std::string& name, const tilewright::Shape& shape) {
    const GgufTensor& tensor = file_.tensor(name);
    std::vector<float> values(static_cast<std::size_t>(shape.elements()));
    std::memcpy(values.data(), tensor.data.data(), values.size() * sizeof(float));
    progress_.add(tensor);
    return device_.from_host(values, shape).share();
  }

  std::optional<HeadNorms> head_norms(index_t index) {
    if (!config_.has_head_norms()) return std::nullopt;
    const tilewright::Shape shape{2, config_.head_size / 2};
    Shared<float> query = norm(layer_weight(index, "attn_q_norm"), shape);
    return HeadNorms{.query = std::move(query), .key = norm(layer_weight(index, "attn_k_norm"), shape)};
  }

  // One matrix from the three; check_weights saw that they are of one kind.
  Matrix joint(index_t index) {
    const GgufTensor& query = file_.tensor(layer_weight(index, "attn_q"));
    const GgufTensor& key = file_.tensor(layer_weight(index, "attn_k"));
    const GgufTensor& value = file_.tensor(layer_weight(index, "attn_v"));
    Matrix made = uploaded(query, [&](auto& rows) {
      for (const GgufTensor* turned : {&query, &key}) {
        if (config_.architecture == Architecture::llama) {
          append_half_split(rows, *turned, config_.head_size);
        } else {
          append_all(rows, *turned);
        }
      }
      append_all(rows, value);
    });
    for (const GgufTensor* tensor : {&query, &key, &value}) progress_.add(*tensor);
    return made;
  }

  // Dense ones, in turn.
  Matrix gate_and_up(index_t index) {
    const GgufTensor& gate = file_.tensor(layer_weight(index, "ffn_gate"));
    const GgufTensor& up = file_.tensor(layer_weight(index, "ffn_up"));
    dense_rows rows;
    for (index_t row = 0; row < gate.rows(); row += kernels::gate_rows) {
      append_rows(rows, gate, row, kernels::gate_rows);
      append_rows(rows, up, row, kernels::gate_rows);
    }
    Matrix made = upload(rows);
    for (const GgufTensor* tensor : {&gate, &up}) progress_.add(*tensor);
    return made;
  }

  // Rows of the kind that the tensor's encoding needs, filled and uploaded.
  template <class Fill>
  Matrix uploaded(const GgufTensor& tensor, const Fill& fill) const {
    const auto filled = [&](auto rows) {
      fill(rows);
      return upload(rows);
    };
    if (tensor.block.type == GgmlType::bf16) return filled(dense_rows{});
    if (tensor.block.type == GgmlType::q8_0) return filled(kernels::byte_planes{});
    return filled(kernels::nibble_planes{});
  }

  Matrix upload(const dense_rows& matrix) const {
    return DenseMatrix{.rows = matrix.rows,
                       .columns = matrix.columns,
                       .values = device_.from_host(matrix.values, {matrix.rows, matrix.columns}).share()};
  }
  Matrix upload(const kernels::byte_planes& planes) const {
    return ByteMatrix{
        .rows = planes.rows,
        .columns = planes.columns,
        .quants = device_.from_host(planes.quants, {planes.rows, planes.groups(), kernels::quant_block}).share(),
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
  Progress progress_;
};

}  // namespace

Weights load_weights(const Gguf& file, const ModelConfig& config, const Device& device,
                     const UploadProgress& progress) {
  check_weights(file, config);
  Loader loader(file, config, device, progress);
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
