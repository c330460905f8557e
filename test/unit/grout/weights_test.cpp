// SPDX-License-Identifier: Apache-2.0
#include "grout/weights.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "grout/dequantize.hpp"
#include "support/tiny_llama.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::TinyLlama;
using test_support::TinyShape;
using tilewright::interp_device;

struct Refusal {
  const char* name;
  std::function<void(TinyLlama&)> change;
  const char* message;
};
void PrintTo(const Refusal& refusal, std::ostream* out) { *out << refusal.name; }

class WeightRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(WeightRefusal, NamesTheTensor) {
  TinyLlama model;
  GetParam().change(model);
  const std::string bytes = model.gguf();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  try {
    check_weights(file, read_config(file));
    FAIL() << "accepted";
  } catch (const tilewright::io_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(GetParam().message));
    EXPECT_THAT(error.what(), testing::HasSubstr("file test.gguf, tensor '"));
    EXPECT_FALSE(error.parts().fix.empty());
  }
}

std::function<void(TinyLlama&)> without(const char* name) {
  return [name](TinyLlama& model) { model.remove(name); };
}
std::function<void(TinyLlama&)> with(const char* name, std::uint64_t columns, std::uint64_t rows, GgmlType type) {
  return [=](TinyLlama& model) { model.remove(name).add_matrix(name, columns, rows, type); };
}
// The same shape in a plain type of two bytes.
std::function<void(TinyLlama&)> with_type(const char* name, GgmlType type) {
  return [=](TinyLlama& model) {
    auto& tensor = model.tensor(name);
    std::size_t elements = 1;
    for (const auto extent : tensor.extents) elements *= extent;
    tensor.type = type;
    tensor.data.assign(2 * elements, '\0');
  };
}
std::function<void(TinyLlama&)> with_layers(std::uint32_t count) {
  return [count](TinyLlama& model) { model.set("llama.block_count", GgufValueType::u32, count); };
}

const Refusal refusals[] = {
    {"embedding_missing", without("token_embd.weight"),
     "a tensor is missing; where: file test.gguf, tensor 'token_embd.weight'; expected: [264, 64]"},
    {"norm_missing", without("output_norm.weight"), "tensor 'output_norm.weight'"},
    {"matrix_missing", without("blk.1.ffn_up.weight"), "tensor 'blk.1.ffn_up.weight'; expected: [128, 64]"},
    {"layer_missing", with_layers(3), "a tensor is missing; where: file test.gguf, tensor 'blk.2.attn_norm.weight'"},
    {"layers_lie", with_layers(1 << 24), "expected: tensors of 16777216 layers"},
    {"layer_too_many", with_layers(1), "a tensor that this model would leave out"},
    {"bias", with("blk.0.attn_q.bias", 64, 1, GgmlType::q4_1),
     "a tensor that this model would leave out; where: file test.gguf, tensor 'blk.0.attn_q.bias'"},
    {"rotary_factors", with("rope_freqs.weight", 32, 1, GgmlType::q8_0), "tensor 'rope_freqs.weight'"},
    {"shape_turned", with("blk.0.ffn_down.weight", 64, 128, GgmlType::q4_1), "expected: [64, 128]; got: [128, 64]"},
    {"vocabulary", with("token_embd.weight", 64, 256, GgmlType::q8_0), "expected: [264, 64]; got: [256, 64]"},
    {"rank", with("output_norm.weight", 64, 1, GgmlType::q8_0), "expected: [64]; got: [1, 64]"},
    {"value_kind", with("blk.0.attn_v.weight", 64, 32, GgmlType::q8_0),
     "in different ways; where: file test.gguf, tensor 'blk.0.attn_v.weight'; expected: as 'blk.0.attn_q.weight', "
     "Q4_1"},
    {"up_kind", with("blk.1.ffn_up.weight", 64, 128, GgmlType::q8_0), "expected: as 'blk.1.ffn_gate.weight', Q4_1"},
    {"matrix_type", with_type("blk.0.ffn_down.weight", GgmlType::f16), "expected: Q4_1, Q4_0, Q8_0 or BF16; got: F16"},
    {"norm_type", with_type("output_norm.weight", GgmlType::f16), "expected: F32; got: F16"},
    {"head_shape", with("output.weight", 64, 32, GgmlType::q8_0), "tensor 'output.weight'; expected: [264, 64]"},
};
INSTANTIATE_TEST_SUITE_P(, WeightRefusal, testing::ValuesIn(refusals),
                         [](const auto& entry) { return entry.param.name; });

TEST(Weights, OfRowsThatAreNotAMultipleOf64AreRefused) {
  const std::string bytes = TinyLlama({.width = 32, .heads = 2, .hidden = 64}).gguf();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  EXPECT_THROW(check_weights(file, read_config(file)), tilewright::io_error);
}

// The dequantised element of planes on a device.
float element(const NibbleMatrix& matrix, index_t row, index_t column) {
  const index_t half_columns = matrix.columns / 2;
  const index_t half = column / half_columns;
  const index_t in_half = column % half_columns;
  const auto quants = matrix.quants.to_host();
  const unsigned pair = quants[static_cast<std::size_t>(row * half_columns + in_half)];
  const auto scale = static_cast<std::size_t>((row * 2 + half) * (half_columns / 32) + in_half / 32);
  return static_cast<float>(half == 0 ? pair & 15U : pair >> 4) * static_cast<float>(matrix.scales.to_host()[scale]) +
         static_cast<float>(matrix.minimums.to_host()[scale]);
}

class LoadedWeights : public testing::Test {
 protected:
  std::string bytes_ = TinyLlama().gguf();
  Gguf file_ = Gguf::parse(bytes_, "test.gguf");
  ModelConfig config_ = read_config(file_);
  Weights weights_ = load_weights(file_, config_, interp_device());
};

// GGUF keeps rotary pairs side by side: row 2i + j of a head is row j * head_size / 2 + i here.
TEST_F(LoadedWeights, HaveQueriesAndKeysInHalfSplitOrder) {
  const auto& joint = std::get<NibbleMatrix>(weights_.layers[1].query_key_value);
  EXPECT_EQ(joint.rows, 64 + 32 + 32);
  const auto expect_row = [&](index_t row, const char* name, index_t source) {
    const auto expected = dequantize_row(file_.tensor(name), source);
    for (const index_t column : {0, 31, 33, 63}) {
      EXPECT_EQ(element(joint, row, column), expected[static_cast<std::size_t>(column)]) << row << ", " << column;
    }
  };
  expect_row(0, "blk.1.attn_q.weight", 0);
  expect_row(1, "blk.1.attn_q.weight", 2);
  expect_row(8, "blk.1.attn_q.weight", 1);
  expect_row(16 + 11, "blk.1.attn_q.weight", 16 + 7);
  expect_row(64 + 16 + 8, "blk.1.attn_k.weight", 16 + 1);
  expect_row(64 + 32 + 5, "blk.1.attn_v.weight", 5);
}

std::vector<tilewright::i8> quants_of(const Matrix& matrix) { return std::get<ByteMatrix>(matrix).quants.to_host(); }

// ENG-04
TEST_F(LoadedWeights, OfAFileWithoutAHeadShareTheEmbedding) {
  EXPECT_TRUE(weights_.is_tied);
  EXPECT_EQ(quants_of(weights_.head), quants_of(weights_.embedding));
}

TEST(Weights, OfAFileWithAHeadHaveTheirOwn) {
  TinyLlama model({.is_tied = false});
  const std::string bytes = model.gguf();
  const Gguf file = Gguf::parse(bytes, "test.gguf");
  const Weights weights = load_weights(file, read_config(file), interp_device());
  EXPECT_FALSE(weights.is_tied);
  EXPECT_NE(quants_of(weights.head), quants_of(weights.embedding));
  EXPECT_EQ(static_cast<std::uint8_t>(quants_of(weights.head).back()),
            static_cast<std::uint8_t>(model.tensor("output.weight").data.back()));
}

}  // namespace
}  // namespace grout
