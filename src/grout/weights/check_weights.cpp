// SPDX-License-Identifier: Apache-2.0
// The file's tensors against the table: all there, of the right shape and encoding, and nothing else beside them.
#include <set>
#include <string>
#include <string_view>

#include "grout/gguf/byte_reader.hpp"
#include "grout/weights.hpp"
#include "grout/weights/weight_table.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/kernels/dense_product.hpp"
#include "tilewright/kernels/quantized.hpp"

namespace grout {
namespace {

constexpr const char* fix_model = "use a model of its family that was converted for llama.cpp, complete and unchanged";
constexpr const char* fix_encoding =
    "quantise the model again, for example with `llama-quantize --pure IN.gguf OUT.gguf Q8_0`";

[[noreturn]] void refuse(const Gguf& file, std::string_view tensor, std::string what, std::string expected,
                         std::string got, const char* fix) {
  throw tilewright::io_error({.what = std::move(what),
                              .where = "file " + file.name() + ", tensor '" + printable(tensor) + "'",
                              .expected = std::move(expected),
                              .got = std::move(got),
                              .fix = fix});
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (const auto extent : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(extent);
  return text + "]";
}

std::vector<std::int64_t> expected_shape(const ExpectedWeight& weight) {
  if (weight.kind == WeightKind::norm) return {weight.columns};
  return {weight.rows, weight.columns};
}

bool is_nibbles(const GgufTensor& tensor) {
  return tensor.block.type == GgmlType::q4_0 || tensor.block.type == GgmlType::q4_1;
}

bool accepts(WeightKind kind, const GgufTensor& tensor) {
  if (kind == WeightKind::norm) return tensor.block.type == GgmlType::f32;
  return is_nibbles(tensor) || tensor.block.type == GgmlType::q8_0 || tensor.block.type == GgmlType::bf16;
}

const char* encodings(WeightKind kind) { return kind == WeightKind::norm ? "F32" : "Q4_1, Q4_0, Q8_0 or BF16"; }

bool is_dense(const GgufTensor& tensor) { return tensor.block.type == GgmlType::bf16; }

// Activations go in 16 bits between dense products, in 32 between others: one kind for the whole model.
void check_kind(const Gguf& file, const ExpectedWeight& weight, const GgufTensor& tensor) {
  const GgufTensor& embedding = file.tensor(embedding_weight);
  if (weight.kind == WeightKind::norm || is_dense(tensor) == is_dense(embedding)) return;
  refuse(file, weight.name, "a model is quantised in part only",
         "as '" + std::string(embedding_weight) + "', " + std::string(embedding.block.name),
         std::string(tensor.block.name), fix_encoding);
}

// Rows of gate and up weights are interleaved in groups.
void check_hidden(const Gguf& file, const ModelConfig& config) {
  constexpr index_t unit = tilewright::kernels::gate_rows;
  if (!is_dense(file.tensor(embedding_weight)) || config.hidden % unit == 0) return;
  refuse(file, layer_weight(0, "ffn_gate"), "this count of rows is not supported in 16 bits",
         "a multiple of " + std::to_string(unit), std::to_string(config.hidden), fix_encoding);
}

void check_partner(const Gguf& file, const ExpectedWeight& weight, const GgufTensor& tensor) {
  if (weight.partner.empty()) return;
  const GgufTensor& partner = file.tensor(weight.partner);
  if (is_nibbles(partner) == is_nibbles(tensor)) return;
  refuse(file, weight.name, "tensors of one product are quantised in different ways",
         "as '" + weight.partner + "', " + std::string(partner.block.name), std::string(tensor.block.name),
         fix_encoding);
}

void check_one(const Gguf& file, const ExpectedWeight& weight) {
  const GgufTensor* tensor = file.find_tensor(weight.name);
  const auto shape = expected_shape(weight);
  if (tensor == nullptr) {
    refuse(file, weight.name, "a tensor is missing", shape_text(shape), "no such tensor", fix_model);
  }
  if (tensor->row_major_shape() != shape) {
    refuse(file, weight.name, "a tensor has another shape than the configuration says", shape_text(shape),
           shape_text(tensor->row_major_shape()), fix_model);
  }
  if (!accepts(weight.kind, *tensor)) {
    refuse(file, weight.name, "unsupported encoding of this tensor", encodings(weight.kind),
           std::string(tensor->block.name), fix_encoding);
  }
  if (weight.kind == WeightKind::matrix && is_nibbles(*tensor) &&
      weight.columns % tilewright::kernels::nibble_column_unit != 0) {
    refuse(file, weight.name, "rows of this length are not supported in 4 bits",
           "a multiple of " + std::to_string(tilewright::kernels::nibble_column_unit), std::to_string(weight.columns),
           fix_encoding);
  }
  check_kind(file, weight, *tensor);
  check_partner(file, weight, *tensor);
}

// Before the table is made, whose size comes from the file.
void require_enough_tensors(const Gguf& file, const ModelConfig& config) {
  if (static_cast<std::size_t>(config.layers) <= file.tensors().size()) return;
  refuse(file, layer_weight(config.layers - 1, "attn_norm"), "a tensor is missing",
         "tensors of " + std::to_string(config.layers) + " layers",
         std::to_string(file.tensors().size()) + " tensors in all", fix_model);
}

}  // namespace

void check_weights(const Gguf& file, const ModelConfig& config) {
  require_enough_tensors(file, config);
  std::set<std::string_view> used;
  const auto expected = expected_weights(config, file.find_tensor(head_weight) != nullptr);
  for (const ExpectedWeight& weight : expected) {
    check_one(file, weight);
    used.insert(weight.name);
  }
  check_hidden(file, config);
  for (const GgufTensor& tensor : file.tensors()) {
    if (used.contains(tensor.name)) continue;
    refuse(file, tensor.name, "a tensor that this model would leave out", "the tensors of the model without biases",
           std::string(tensor.block.name) + " " + shape_text(tensor.row_major_shape()), fix_model);
  }
}

}  // namespace grout
