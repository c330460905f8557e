// SPDX-License-Identifier: Apache-2.0
// The forward pass on small random models against double precision, prefill and decode, on each device.
#include "grout/model.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "grout/shapes.hpp"
#include "support/llama_reference.hpp"
#include "support/test_device.hpp"
#include "support/tiny_llama.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::LlamaReference;
using test_support::TinyLlama;
using test_support::TinyShape;
using Ids = std::vector<std::int32_t>;

Ids some_ids(std::size_t count) {
  Ids ids;
  for (std::size_t i = 0; i < count; ++i) ids.push_back(static_cast<std::int32_t>((i * 97 + 13) % 264));
  return ids;
}

// |error| <= 1e-5 * greatest |logit|. A product over K terms may be off by K eps times its sum of magnitudes (1.5e-5
// for K = 128); errors of either sign meet, and 6.8e-6 was the most measured. A wrong position, head or scale is off by
// more than 1e-2.
constexpr double f32_bound = 1e-5;
// Between 16-bit products a sum near the middle of two bf16 numbers may round to either: one element in some hundred,
// by 2^-8 of itself. Attention rounds its weights too. 8.4e-3 was the most measured.
constexpr double bf16_bound = 1.5e-2;

void expect_close(const std::vector<float>& logits, const LlamaReference::Vector& expected, double bound = f32_bound) {
  ASSERT_EQ(logits.size(), expected.size());
  double most = 0;
  double error = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    most = std::max(most, std::abs(expected[i]));
    error = std::max(error, std::abs(static_cast<double>(logits[i]) - expected[i]));
  }
  EXPECT_LE(error, bound * most);
}

using tilewright::test::test_back_end;

class TinyModel : public testing::TestWithParam<test_back_end> {
 protected:
  void SetUp() override {
    if (const char* reason = tilewright::test::why_missing(GetParam())) GTEST_SKIP() << reason;
  }
  static tilewright::Device device() { return tilewright::test::test_device(GetParam()); }

  // Makes model and reference of one file.
  void load(const TinyLlama& tiny) {
    bytes_ = tiny.gguf();
    file_.emplace(Gguf::parse(bytes_, "test.gguf"));
    model_.emplace(Model::load(*file_, device()));
  }
  LlamaReference reference() const { return LlamaReference(*file_, model_->config()); }

  std::string bytes_;
  std::optional<Gguf> file_;
  std::optional<Model> model_;
};
INSTANTIATE_TEST_SUITE_P(, TinyModel, testing::Values(test_back_end::interp, test_back_end::cpu, test_back_end::gpu),
                         [](const auto& entry) { return std::string(tilewright::test::name_of(entry.param)); });

TEST_P(TinyModel, PrefillGivesTheLogitsOfTheReference) {
  load(TinyLlama());
  for (const std::size_t count : {1, 2, 7, 33}) {
    SCOPED_TRACE(count);
    Sequence sequence(*model_, 48);
    sequence.append(some_ids(count));
    EXPECT_EQ(sequence.length(), static_cast<index_t>(count));
    expect_close(sequence.logits(), reference().steps(some_ids(count)).back());
  }
}

TEST_P(TinyModel, DecodeGivesTheLogitsOfTheReference) {
  load(TinyLlama());
  LlamaReference reference = this->reference();
  Sequence sequence(*model_, 20);
  sequence.append(some_ids(3));
  reference.step(some_ids(3)[0]);
  reference.step(some_ids(3)[1]);
  auto expected = reference.step(some_ids(3)[2]);
  for (int step = 0; step < 17; ++step) {
    SCOPED_TRACE(step);
    expect_close(sequence.logits(), expected);
    const std::int32_t id = sequence.next();
    ASSERT_EQ(id, LlamaReference::greatest(expected));
    expected = reference.step(id);
    sequence.append_next();
  }
  EXPECT_EQ(sequence.length(), sequence.capacity());
}

TEST_P(TinyModel, AppendedInPartsGivesTheSameAsAtOnce) {
  load(TinyLlama());
  const Ids ids = some_ids(12);
  Sequence sequence(*model_, 12);
  for (const auto& [first, count] : {std::pair{0, 5}, {5, 1}, {6, 1}, {7, 5}}) {
    sequence.append(std::span(ids).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count)));
  }
  expect_close(sequence.logits(), reference().steps(ids).back());
}

TEST_P(TinyModel, OfEveryHeadShapeGivesTheLogitsOfTheReference) {
  const TinyShape shapes[] = {
      {.heads = 4, .key_heads = 4},                                 // no sharing
      {.heads = 4, .key_heads = 1},                                 // one key head
      {.width = 128, .heads = 6, .key_heads = 2, .head_size = 32},  // heads wider than the stream
      {.width = 192, .layers = 1, .heads = 3, .key_heads = 1, .head_size = 64},
      {.layers = 3, .hidden = 320, .is_tied = false},  // 5 groups, a head of its own
  };
  for (const TinyShape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << shape.heads << "/" << shape.key_heads << " heads of " << shape.head_size);
    load(TinyLlama(shape));
    LlamaReference reference = this->reference();
    Sequence sequence(*model_, 6);
    sequence.append(some_ids(5));
    const auto expected = reference.steps(some_ids(5)).back();
    expect_close(sequence.logits(), expected);
    sequence.append_next();
    expect_close(sequence.logits(), reference.step(LlamaReference::greatest(expected)));
  }
}

TEST_P(TinyModel, OfEveryEncodingGivesTheLogitsOfTheReference) {
  const TinyShape shapes[] = {
      {.layer_type = GgmlType::q8_0},
      {.end_type = GgmlType::q4_1},
      {.is_tied = false, .layer_type = GgmlType::q4_0, .end_type = GgmlType::q4_0},
      {.hidden = 96, .layer_type = GgmlType::q8_0},  // 3 groups of 32: no row in 4 bits has so many
  };
  for (const TinyShape& shape : shapes) {
    SCOPED_TRACE(testing::Message() << ggml_block(shape.layer_type).name << ", " << ggml_block(shape.end_type).name);
    load(TinyLlama(shape));
    LlamaReference reference = this->reference();
    Sequence sequence(*model_, 18);
    sequence.append(some_ids(17));
    const auto expected = reference.steps(some_ids(17)).back();
    expect_close(sequence.logits(), expected);
    sequence.append_next();
    expect_close(sequence.logits(), reference.step(LlamaReference::greatest(expected)));
  }
}

// 16-bit weights: heads that share a key head by 1, 2, 4 and 5, tied and not, a width that is no power of two. Prompts
// of one row, of a few, and of more than a tile.
TEST_P(TinyModel, WithDenseWeightsGivesTheLogitsOfTheReference) {
  constexpr GgmlType bf16 = GgmlType::bf16;
  const TinyShape shapes[] = {
      {.is_qwen3 = true, .layer_type = bf16, .end_type = bf16},
      {.is_tied = false, .layer_type = bf16, .end_type = bf16},
      {.width = 96,
       .heads = 8,
       .key_heads = 2,
       .is_tied = false,
       .is_qwen3 = true,
       .layer_type = bf16,
       .end_type = bf16},
      {.layers = 1,
       .heads = 5,
       .key_heads = 1,
       .head_size = 32,
       .is_qwen3 = true,
       .layer_type = bf16,
       .end_type = bf16},
      {.layers = 1, .heads = 3, .key_heads = 3, .is_qwen3 = true, .layer_type = bf16, .end_type = bf16}};
  for (const TinyShape& shape : shapes) {
    for (const std::size_t count : {1, 5, 33}) {
      SCOPED_TRACE(testing::Message() << shape.heads << "/" << shape.key_heads << " heads, " << count << " tokens");
      load(TinyLlama(shape));
      LlamaReference reference = this->reference();
      Sequence sequence(*model_, 48);
      sequence.append(some_ids(count));
      auto expected = reference.steps(some_ids(count)).back();
      expect_close(sequence.logits(), expected, bf16_bound);
      for (int step = 0; step < 3; ++step) {
        const std::int32_t id = sequence.next();
        sequence.append_next();
        expected = reference.step(id);
        expect_close(sequence.logits(), expected, bf16_bound);
      }
    }
  }
}

TEST_P(TinyModel, OfQuantisedQwen3GivesTheLogitsOfTheReference) {
  load(TinyLlama({.is_qwen3 = true, .layer_type = GgmlType::q8_0}));
  Sequence sequence(*model_, 18);
  sequence.append(some_ids(17));
  LlamaReference reference = this->reference();
  const auto expected = reference.steps(some_ids(17)).back();
  expect_close(sequence.logits(), expected);
  sequence.append_next();
  expect_close(sequence.logits(), reference.step(LlamaReference::greatest(expected)));
}

// Steps are recorded ahead; a prompt in between takes the place of one.
TEST_P(TinyModel, MayMixStepsAndPrompts) {
  for (const GgmlType type : {GgmlType::q8_0, GgmlType::bf16}) {
    load(TinyLlama({.layer_type = type, .end_type = type}));
    Sequence mixed(*model_, 40);
    Ids ids = some_ids(4);
    mixed.append(ids);
    for (int round = 0; round < 3; ++round) {
      ids.push_back(mixed.next());
      mixed.append_next();
      ids.push_back(mixed.next());
      mixed.append_next();
      const Ids more = some_ids(static_cast<std::size_t>(round) + 1);
      mixed.append(more);
      ids.insert(ids.end(), more.begin(), more.end());
    }
    expect_close(mixed.logits(), reference().steps(ids).back(), type == GgmlType::bf16 ? bf16_bound : f32_bound);
  }
}

TEST_P(TinyModel, OfRandomWeightsGivesFiniteLogits) {
  const KnownShape shape = find_shape("tiny").value();
  model_.emplace(Model::random(shape.config, shape.is_tied, device()));
  Sequence sequence(*model_, 20);
  sequence.append(some_ids(12));
  for (int step = 0; step < 4; ++step) {
    (void)sequence.next();  // throws for logits that are not finite
    sequence.append_next();
  }
  EXPECT_EQ(sequence.length(), 16);
}

TEST_P(TinyModel, LongerThanAPassGivesTheLogitsOfTheReference) {
  load(TinyLlama({.context = 400, .layers = 1}));
  const Ids ids = some_ids(static_cast<std::size_t>(Sequence::rows_of_a_pass) + 3);
  Sequence sequence(*model_, 300);
  sequence.append(ids);
  expect_close(sequence.logits(), reference().steps(ids).back());
}

// Past 512 keys one row attends in parts.
TEST_P(TinyModel, FarIntoTheContextGivesTheLogitsOfTheReference) {
  load(TinyLlama({.context = 1000, .layers = 1}));
  LlamaReference reference = this->reference();
  const Ids ids = some_ids(511);
  Sequence sequence(*model_, 515);
  sequence.append(ids);
  auto expected = reference.steps(ids).back();
  for (int step = 0; step < 4; ++step) {
    SCOPED_TRACE(step);
    expect_close(sequence.logits(), expected);
    expected = reference.step(LlamaReference::greatest(expected));
    sequence.append_next();
  }
  expect_close(sequence.logits(), expected);
}

TEST_P(TinyModel, SequencesDoNotMeet) {
  load(TinyLlama());
  Sequence first(*model_, 8);
  Sequence second(*model_, 8);
  first.append(some_ids(4));
  second.append(some_ids(2));
  first.append_next();
  LlamaReference reference = this->reference();
  const auto expected = reference.steps(some_ids(4)).back();
  expect_close(first.logits(), reference.step(LlamaReference::greatest(expected)));
}

template <class Call>
void expect_refusal(const char* text, const Call& call) {
  try {
    call();
    ADD_FAILURE() << "accepted: " << text;
  } catch (const tilewright::usage_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr(text));
  }
}

TEST_P(TinyModel, RefusesWhatDoesNotFitAndStaysUnchanged) {
  load(TinyLlama({.layers = 1}));
  Sequence sequence(*model_, 3);
  expect_refusal("no next token", [&] { sequence.append_next(); });
  expect_refusal("no next token", [&] { (void)sequence.next(); });
  expect_refusal("no logits", [&] { (void)sequence.logits(); });
  sequence.append(some_ids(2));
  const auto logits = sequence.logits();
  expect_refusal("no tokens", [&] { sequence.append({}); });
  expect_refusal("expected: 0 to 263; got: 264 at index 0", [&] { sequence.append(Ids{264}); });
  expect_refusal("expected: 0 to 263; got: -1 at index 0", [&] { sequence.append(Ids{-1}); });
  expect_refusal("context_length_exceeded", [&] { sequence.append(some_ids(2)); });
  EXPECT_EQ(sequence.length(), 2);
  EXPECT_EQ(sequence.logits(), logits);
  sequence.append_next();
  expect_refusal("context_length_exceeded", [&] { sequence.append_next(); });
  expect_refusal("context_length_exceeded", [&] { Sequence(*model_, 49); });
  expect_refusal("context_length_exceeded", [&] { Sequence(*model_, 0); });
}

TEST_P(TinyModel, NamesLogitsThatAreNotFinite) {
  TinyLlama tiny({.layers = 1});
  const float broken = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(tiny.tensor("output_norm.weight").data.data(), &broken, sizeof(broken));
  load(tiny);
  Sequence sequence(*model_, 3);
  sequence.append(some_ids(2));
  EXPECT_THROW((void)sequence.next(), tilewright::runtime_error);
}

}  // namespace
}  // namespace grout
