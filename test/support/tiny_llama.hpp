// SPDX-License-Identifier: Apache-2.0
// A Llama, or a Qwen3, of a few thousand random weights as a GGUF file: every part of a real one, small enough for the
// interpreter.
// Values and tensors may be changed before gguf() writes them, to make files that must be refused.
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grout/ggml_type.hpp"
#include "support/gguf_writer.hpp"
#include "support/tiny_tokenizer.hpp"
#include "tilewright/base/float16.hpp"

namespace test_support {

struct TinyShape {
  std::uint64_t context = 48, width = 64, layers = 2, heads = 4, key_heads = 2, head_size = 16, hidden = 128;
  std::uint64_t vocabulary = 264;  // that of TinyTokenizer
  bool is_tied = true, is_qwen3 = false;
  grout::GgmlType layer_type = grout::GgmlType::q4_1, end_type = grout::GgmlType::q8_0;  // ends: embedding and head
  unsigned seed = 20240229;
};

class TinyLlama {
 public:
  struct Tensor {
    std::string name;
    std::vector<std::uint64_t> extents;  // file order: fastest first
    grout::GgmlType type;
    std::string data;
  };
  std::vector<std::pair<std::string, std::string>> values;  // key and serialised entry
  std::vector<Tensor> tensors;

  explicit TinyLlama(const TinyShape& shape = {}) : engine_(shape.seed) {
    write_values(shape);
    add_matrix("token_embd.weight", shape.width, shape.vocabulary, shape.end_type);
    for (std::uint64_t layer = 0; layer < shape.layers; ++layer) add_layer("blk." + std::to_string(layer) + ".", shape);
    add_norm("output_norm.weight", shape.width);
    if (!shape.is_tied) add_matrix("output.weight", shape.width, shape.vocabulary, shape.end_type);
  }

  TinyLlama& remove(std::string_view name) {
    std::erase_if(values, [&](const auto& entry) { return entry.first == name; });
    std::erase_if(tensors, [&](const auto& entry) { return entry.name == name; });
    return *this;
  }
  // Replaces or adds a value.
  template <class... Content>
  TinyLlama& set(const std::string& key, const Content&... content) {
    std::erase_if(values, [&](const auto& entry) { return entry.first == key; });
    values.emplace_back(key, GgufWriter().value(key, content...).bytes().substr(header_bytes));
    return *this;
  }
  Tensor& tensor(std::string_view name) {
    return *std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& entry) { return entry.name == name; });
  }
  TinyLlama& add_matrix(const std::string& name, std::uint64_t columns, std::uint64_t rows, grout::GgmlType type) {
    tensors.push_back({name, {columns, rows}, type, blocks(columns * rows / 32, type)});
    return *this;
  }

  std::string gguf() const {
    GgufWriter writer;
    writer.counts(tensors.size(), values.size() + tokenizer_values);
    for (const auto& [key, bytes] : values) writer.raw(bytes);
    writer.raw(TinyTokenizer().gguf().substr(header_bytes + 16));
    std::uint64_t offset = 0;
    for (const Tensor& entry : tensors) {
      writer.tensor(entry.name, entry.extents, static_cast<std::uint32_t>(entry.type), offset);
      offset += (entry.data.size() + 31) / 32 * 32;
    }
    for (const Tensor& entry : tensors) writer.align().raw(entry.data);
    return writer.bytes();
  }

 private:
  static constexpr std::size_t header_bytes = 8;  // letters and version
  static constexpr std::size_t tokenizer_values = 7;

  void write_values(const TinyShape& shape) {
    using enum grout::GgufValueType;
    const std::string prefix = shape.is_qwen3 ? "qwen3" : "llama";
    const auto size = [&](const std::string& key, std::uint64_t value) {
      set(prefix + "." + key, u32, static_cast<std::uint32_t>(value));
    };
    set("general.architecture", std::string_view(prefix));
    size("context_length", shape.context);
    size("embedding_length", shape.width);
    size("block_count", shape.layers);
    size("feed_forward_length", shape.hidden);
    size("attention.head_count", shape.heads);
    size("attention.head_count_kv", shape.key_heads);
    size("attention.key_length", shape.head_size);
    size("rope.dimension_count", shape.head_size);
    size("vocab_size", shape.vocabulary);
    set(prefix + ".rope.freq_base", f32, 100.0F);
    set(prefix + ".attention.layer_norm_rms_epsilon", f32, 1e-5F);
  }

  void add_layer(const std::string& prefix, const TinyShape& shape) {
    // Both encodings in nibbles meet in one product.
    const bool is_nibbles = shape.layer_type == grout::GgmlType::q4_1;
    const grout::GgmlType type = shape.layer_type, other = is_nibbles ? grout::GgmlType::q4_0 : type;
    add_norm(prefix + "attn_norm.weight", shape.width);
    add_matrix(prefix + "attn_q.weight", shape.width, shape.heads * shape.head_size, type);
    add_matrix(prefix + "attn_k.weight", shape.width, shape.key_heads * shape.head_size, type);
    add_matrix(prefix + "attn_v.weight", shape.width, shape.key_heads * shape.head_size, other);
    if (shape.is_qwen3) {
      add_norm(prefix + "attn_q_norm.weight", shape.head_size);
      add_norm(prefix + "attn_k_norm.weight", shape.head_size);
    }
    add_matrix(prefix + "attn_output.weight", shape.heads * shape.head_size, shape.width, type);
    add_norm(prefix + "ffn_norm.weight", shape.width);
    add_matrix(prefix + "ffn_gate.weight", shape.width, shape.hidden, type);
    add_matrix(prefix + "ffn_up.weight", shape.width, shape.hidden, type);
    add_matrix(prefix + "ffn_down.weight", shape.hidden, shape.width, type);
  }

  void add_norm(const std::string& name, std::uint64_t width) {
    GgufWriter writer;
    for (std::uint64_t i = 0; i < width; ++i) writer.number(uniform(0.5F, 1.5F));
    tensors.push_back({name, {width}, grout::GgmlType::f32, writer.bytes().substr(header_bytes)});
  }

  // Weights of mean about 0 and a size that keeps the activations near 1.
  std::string blocks(std::uint64_t count, grout::GgmlType type) {
    GgufWriter writer;
    if (type == grout::GgmlType::bf16) {
      for (std::uint64_t i = 0; i < 32 * count; ++i) writer.number(tilewright::bf16(uniform(-0.2F, 0.2F)).bits);
      return writer.bytes().substr(header_bytes);
    }
    for (std::uint64_t block = 0; block < count; ++block) {
      const float scale = type == grout::GgmlType::q8_0 ? uniform(0.005F, 0.015F) : uniform(0.01F, 0.03F);
      writer.number(tilewright::f16(scale).bits);
      if (type == grout::GgmlType::q4_1) writer.number(tilewright::f16(-scale * uniform(7.0F, 8.0F)).bits);
      const int bytes = type == grout::GgmlType::q8_0 ? 32 : 16;
      for (int i = 0; i < bytes; ++i) writer.number(static_cast<std::uint8_t>(engine_() & 0xff));
    }
    return writer.bytes().substr(header_bytes);
  }

  float uniform(float least, float most) {
    return least + (most - least) * static_cast<float>(engine_()) / 4294967296.0F;
  }

  std::mt19937 engine_;
};

}  // namespace test_support
