// SPDX-License-Identifier: Apache-2.0
// Every size has a range, so that products of two of them cannot wrap.
#include <cmath>
#include <string>
#include <string_view>

#include "grout/config.hpp"
#include "grout/gguf/byte_reader.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

constexpr index_t largest_size = index_t{1} << 24;

// Look-ups under the architecture's prefix.
struct Keys {
  const Gguf& file;
  Architecture architecture;

  std::string full(std::string_view key) const { return name_of(architecture) + ("." + std::string(key)); }
  bool has(std::string_view key) const { return file.metadata().has(full(key)); }
  index_t size(std::string_view key) const { return file.metadata().integer(full(key), {1, largest_size}); }
  index_t size_or(std::string_view key, index_t otherwise) const { return has(key) ? size(key) : otherwise; }
  double positive(std::string_view key) const {
    const double value = file.metadata().real(full(key));
    if (!std::isfinite(value) || value <= 0.0) refuse(key, "a value is out of range", "above 0", std::to_string(value));
    return value;
  }

  [[noreturn]] void refuse(std::string_view key, std::string what, std::string expected, std::string got) const {
    throw tilewright::io_error({.what = std::move(what),
                                .where = "file " + file.name() + ", key '" + full(key) + "'",
                                .expected = std::move(expected),
                                .got = std::move(got),
                                .fix = "use a model of a supported family, or convert it again with a current tool"});
  }
  void require_equal(std::string_view key, index_t expected, std::string_view meaning) const {
    if (!has(key) || size(key) == expected) return;
    refuse(key, "a model of this shape is not supported", std::string(meaning) + ", " + std::to_string(expected),
           std::to_string(size(key)));
  }
};

Architecture read_architecture(const Gguf& file) {
  constexpr std::string_view key = "general.architecture";
  const auto name = file.metadata().string(key);
  for (const Architecture known : {Architecture::llama, Architecture::qwen3}) {
    if (name == name_of(known)) return known;
  }
  throw tilewright::io_error({.what = "unsupported architecture",
                              .where = "file " + file.name() + ", key '" + std::string(key) + "'",
                              .expected = "'llama' or 'qwen3'",
                              .got = "'" + printable(name) + "'",
                              .fix = "use a model of the Llama family, as SmolLM2, or a dense Qwen3"});
}

// What would change the computation and is not computed must not pass silently.
void refuse_variants(const Keys& keys) {
  constexpr std::string_view scaling = "rope.scaling.type";
  if (keys.has(scaling)) {
    const auto kind = keys.file.metadata().string(keys.full(scaling));
    if (kind != "none")
      keys.refuse(scaling, "scaled rotary angles are not supported", "'none'", "'" + printable(kind) + "'");
  }
  constexpr std::string_view linear = "rope.scale_linear";
  if (keys.has(linear) && keys.positive(linear) != 1.0) {
    keys.refuse(linear, "scaled rotary angles are not supported", "1", std::to_string(keys.positive(linear)));
  }
  constexpr std::string_view experts = "expert_count";
  if (keys.has(experts)) {
    const auto count = keys.file.metadata().integer(keys.full(experts));
    if (count != 0) keys.refuse(experts, "mixtures of experts are not supported", "0", std::to_string(count));
  }
}

index_t vocabulary(const Keys& keys) {
  if (keys.has("vocab_size")) return keys.size("vocab_size");
  return static_cast<index_t>(keys.file.metadata().strings("tokenizer.ggml.tokens").size());
}

index_t head_size(const Keys& keys, const ModelConfig& config) {
  if (keys.has("attention.key_length")) return keys.size("attention.key_length");
  if (config.width % config.heads == 0) return config.width / config.heads;
  keys.refuse("attention.head_count", "the width is not a whole number of heads",
              "a divisor of " + std::to_string(config.width), std::to_string(config.heads));
}

void read_heads(const Keys& keys, ModelConfig& config) {
  config.heads = keys.size("attention.head_count");
  config.key_heads = keys.size_or("attention.head_count_kv", config.heads);
  config.head_size = head_size(keys, config);
  if (config.heads % config.key_heads != 0) {
    keys.refuse("attention.head_count_kv", "query heads are not shared evenly",
                "a divisor of " + std::to_string(config.heads), std::to_string(config.key_heads));
  }
  if (config.head_size % 2 != 0) {
    keys.refuse("attention.head_count", "rotary pairs need an even head size", "an even number",
                std::to_string(config.head_size));
  }
  keys.require_equal("attention.value_length", config.head_size, "the size of a key");
  keys.require_equal("rope.dimension_count", config.head_size, "the whole head");
}

}  // namespace

const char* name_of(Architecture architecture) { return architecture == Architecture::llama ? "llama" : "qwen3"; }

ModelConfig read_config(const Gguf& file) {
  const Keys keys{file, read_architecture(file)};
  refuse_variants(keys);
  ModelConfig config;
  config.architecture = keys.architecture;
  config.context = keys.size("context_length");
  config.width = keys.size("embedding_length");
  config.layers = keys.size("block_count");
  config.hidden = keys.size("feed_forward_length");
  read_heads(keys, config);
  config.rotary_base = keys.positive("rope.freq_base");
  config.norm_epsilon = static_cast<float>(keys.positive("attention.layer_norm_rms_epsilon"));
  config.vocabulary = vocabulary(keys);
  return config;
}

}  // namespace grout
