// SPDX-License-Identifier: Apache-2.0
#include "grout/config.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "support/model_file.hpp"
#include "support/tiny_llama.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::TinyLlama;

ModelConfig read(const TinyLlama& model) {
  const std::string bytes = model.gguf();
  return read_config(Gguf::parse(bytes, "test.gguf"));
}

TEST(ModelConfig, HoldsTheSizesOfTheFile) {
  const ModelConfig config = read(TinyLlama());
  const ModelConfig expected{.vocabulary = 264,
                             .context = 48,
                             .width = 64,
                             .layers = 2,
                             .heads = 4,
                             .key_heads = 2,
                             .head_size = 16,
                             .hidden = 128,
                             .rotary_base = 100,
                             .norm_epsilon = 1e-5F};
  EXPECT_EQ(config, expected);
  EXPECT_EQ(config.query_columns(), 64);
  EXPECT_EQ(config.key_columns(), 32);
  EXPECT_EQ(config.query_heads_per_key_head(), 2);
}

TEST(ModelConfig, TakesTheDefaultsOfTheFormat) {
  const ModelConfig config = read(TinyLlama()
                                      .remove("llama.attention.head_count_kv")
                                      .remove("llama.attention.key_length")
                                      .remove("llama.rope.dimension_count")
                                      .remove("llama.vocab_size"));
  EXPECT_EQ(config.key_heads, 4);
  EXPECT_EQ(config.head_size, 16);
  EXPECT_EQ(config.vocabulary, 264);
}

struct Refusal {
  const char* name;
  std::function<void(TinyLlama&)> change;
  const char* message;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class ModelConfigRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(ModelConfigRefusal, NamesTheKey) {
  TinyLlama model;
  GetParam().change(model);
  try {
    read(model);
    FAIL() << "accepted";
  } catch (const tilewright::io_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), testing::HasSubstr("file test.gguf, key '"));
    EXPECT_FALSE(error.parts().fix.empty());
  }
}

std::function<void(TinyLlama&)> without(const char* key) {
  return [key](TinyLlama& model) { model.remove(key); };
}
std::function<void(TinyLlama&)> with_number(const char* key, std::uint32_t value) {
  return [key, value](TinyLlama& model) { model.set(key, GgufValueType::u32, value); };
}
std::function<void(TinyLlama&)> with_real(const char* key, float value) {
  return [key, value](TinyLlama& model) { model.set(key, GgufValueType::f32, value); };
}
std::function<void(TinyLlama&)> with_text(const char* key, std::string_view value) {
  return [key, value](TinyLlama& model) { model.set(key, value); };
}

const Refusal refusals[] = {
    {"architecture_missing", without("general.architecture"), "a key is missing"},
    {"architecture", with_text("general.architecture", "gemma"), "expected: 'llama' or 'qwen3'; got: 'gemma'"},
    {"context_missing", without("llama.context_length"), "'llama.context_length'; expected: an integer"},
    {"width_missing", without("llama.embedding_length"), "'llama.embedding_length'"},
    {"layers_missing", without("llama.block_count"), "'llama.block_count'"},
    {"hidden_missing", without("llama.feed_forward_length"), "'llama.feed_forward_length'"},
    {"heads_missing", without("llama.attention.head_count"), "'llama.attention.head_count'"},
    {"base_missing", without("llama.rope.freq_base"), "'llama.rope.freq_base'; expected: a real number"},
    {"epsilon_missing", without("llama.attention.layer_norm_rms_epsilon"), "'llama.attention.layer_norm_rms_epsilon'"},
    {"heads_zero", with_number("llama.attention.head_count", 0), "expected: an integer from 1 to"},
    {"layers_huge", with_number("llama.block_count", 0xffffffff), "a value is out of range"},
    {"width_is_text", with_text("llama.embedding_length", "64"), "a key has the wrong type"},
    {"heads_not_shared", with_number("llama.attention.head_count_kv", 3), "a divisor of 4; got: 3"},
    {"head_size_odd", with_number("llama.attention.key_length", 15), "an even number; got: 15"},
    {"value_size", with_number("llama.attention.value_length", 8), "the size of a key, 16; got: 8"},
    {"part_rotary", with_number("llama.rope.dimension_count", 8), "the whole head, 16; got: 8"},
    {"base_zero", with_real("llama.rope.freq_base", 0), "expected: above 0"},
    {"base_infinite", with_real("llama.rope.freq_base", HUGE_VALF), "got: inf"},
    {"epsilon_negative", with_real("llama.attention.layer_norm_rms_epsilon", -1e-5F), "expected: above 0"},
    {"yarn", with_text("llama.rope.scaling.type", "yarn"), "scaled rotary angles are not supported"},
    {"linear", with_real("llama.rope.scale_linear", 4), "scaled rotary angles are not supported"},
    {"experts", with_number("llama.expert_count", 8), "mixtures of experts are not supported"},
};
INSTANTIATE_TEST_SUITE_P(, ModelConfigRefusal, testing::ValuesIn(refusals),
                         [](const auto& entry) { return entry.param.name; });

TEST(ModelConfig, RefusesAWidthThatIsNoWholeNumberOfHeads) {
  TinyLlama model;
  model.remove("llama.attention.key_length").set("llama.attention.head_count", GgufValueType::u32, std::uint32_t{6});
  EXPECT_THROW(read(model), tilewright::io_error);
}

TEST(ModelConfig, OfTheRealModelHoldsItsSizes) {
  const auto path = test_support::find_model();
  if (path.empty()) GTEST_SKIP() << test_support::no_model;
  const ModelConfig config = read_config(Gguf::open(path));
  EXPECT_EQ(config.layers, 30);
  EXPECT_EQ(config.width, 576);
  EXPECT_EQ(config.heads, 9);
  EXPECT_EQ(config.key_heads, 3);
  EXPECT_EQ(config.head_size, 64);
  EXPECT_EQ(config.hidden, 1536);
  EXPECT_EQ(config.vocabulary, 49152);
  EXPECT_EQ(config.rotary_base, 1e5);
}

}  // namespace
}  // namespace grout
