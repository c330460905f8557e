// SPDX-License-Identifier: Apache-2.0
// The real model continues five prompts as its dequantised weights do in float32 elsewhere; test/data/
// smollm2_greedy.json says where its ids come from. Another order of sums moves a logit by about 1e-4, so ids are
// compared up to the first step whose two best logits lie closer than 0.03.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "grout/model.hpp"
#include "grout/tokenizer.hpp"
#include "support/model_file.hpp"
#include "support/test_device.hpp"

namespace grout {
namespace {

using nlohmann::json;
using Ids = std::vector<std::int32_t>;
using tilewright::test::test_back_end;

constexpr double undecided_gap = 0.03;
constexpr double logit_bound = 2e-3;

json oracle() {
  return json::parse(std::ifstream(std::string(TILEWRIGHT_SOURCE_DIR) + "/test/data/smollm2_greedy.json"));
}

class GreedyOracle : public testing::Test {
 protected:
  void load(const tilewright::Device& device) {
    file_.emplace(Gguf::open(test_support::find_model()));
    model_.emplace(Model::load(*file_, device));
  }
  static bool has_model() { return !test_support::find_model().empty(); }

  static void expect_top_logits(const Sequence& sequence, const json& entry) {
    const auto logits = sequence.logits();
    for (const json& pair : entry["first_top5"]) {
      EXPECT_NEAR(logits[pair[0].get<std::size_t>()], pair[1].get<double>(), logit_bound) << entry["prompt"] << pair;
    }
  }

  std::optional<Gguf> file_;
  std::optional<Model> model_;
};

class GreedyOracleOn : public GreedyOracle, public testing::WithParamInterface<test_back_end> {};
INSTANTIATE_TEST_SUITE_P(, GreedyOracleOn, testing::Values(test_back_end::cpu, test_back_end::gpu),
                         [](const auto& entry) { return std::string(tilewright::test::name_of(entry.param)); });

TEST_P(GreedyOracleOn, GivesTheReferenceIds) {
  if (const char* reason = tilewright::test::why_missing(GetParam())) GTEST_SKIP() << reason;
  if (!has_model()) GTEST_SKIP() << test_support::no_model;
  load(tilewright::test::test_device(GetParam()));
  const Tokenizer tokenizer = Tokenizer::from_gguf(*file_);
  const json all = oracle();
  ASSERT_FALSE(all["cases"].empty());
  for (const json& entry : all["cases"]) {
    SCOPED_TRACE(entry["prompt"].get<std::string>());
    const auto prompt = entry["prompt_ids"].get<Ids>();
    EXPECT_EQ(tokenizer.encode(entry["prompt"].get<std::string>(), true), prompt);
    Sequence sequence(*model_, static_cast<index_t>(prompt.size() + entry["generated_ids"].size()));
    sequence.append(prompt);
    expect_top_logits(sequence, entry);
    bool is_decided = true;  // an id that differs makes all behind it meaningless, but for the images they need
    for (std::size_t step = 0; step < entry["generated_ids"].size(); ++step) {
      is_decided = is_decided && entry["top1_minus_top2"][step].get<double>() >= undecided_gap;
      const std::int32_t id = sequence.next(), expected = entry["generated_ids"][step].get<std::int32_t>();
      if (is_decided) {
        EXPECT_EQ(id, expected) << "step " << step;
        is_decided = id == expected;
      }
      sequence.append_next();
    }
  }
}

// The interpreter is the oracle of every other back end, so it must reach a real model, in a time one can wait for.
TEST_F(GreedyOracle, OnTheInterpreterGivesTheFirstTwoIdsOfAPrompt) {
  if (const char* reason = tilewright::test::why_missing(test_back_end::interp)) GTEST_SKIP() << reason;
  if (!has_model()) GTEST_SKIP() << test_support::no_model;
  constexpr double most_seconds = 120;
  const auto begin = std::chrono::steady_clock::now();
  load(tilewright::interp_device());
  const json entry = oracle()["cases"][0];
  Sequence sequence(*model_, 8);
  sequence.append(entry["prompt_ids"].get<Ids>());
  expect_top_logits(sequence, entry);
  EXPECT_EQ(sequence.next(), entry["generated_ids"][0].get<std::int32_t>());
  sequence.append_next();
  EXPECT_EQ(sequence.next(), entry["generated_ids"][1].get<std::int32_t>());
  EXPECT_LE(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), most_seconds);
}

}  // namespace
}  // namespace grout
