// SPDX-License-Identifier: Apache-2.0
// A scripted model, whose layers add nothing and whose head names a successor for each token, gives any wanted text.
#include "grout/generate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/scripted_llama.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::scripted_llama;
using test_support::TinyTokenizer;
using Ids = std::vector<std::int32_t>;

class Generate : public testing::Test {
 protected:
  explicit Generate(const Ids& script = {'a', 'x', 0xc3, 0xa9, '!', TinyTokenizer::end, 'z', 'y'})
      : bytes_(scripted_llama(script)),
        file_(Gguf::parse(bytes_, "test.gguf")),
        tokenizer_(Tokenizer::from_gguf(file_)),
        model_(Model::load(file_, tilewright::interp_device())) {}

  Generated run(std::string_view prompt, index_t count, bool stop_at_end = false) {
    pieces_.clear();
    return generate(model_, tokenizer_, prompt, {.count = count, .stop_at_end = stop_at_end},
                    [&](std::string_view piece) { pieces_.emplace_back(piece); });
  }

  std::string bytes_;
  Gguf file_;
  Tokenizer tokenizer_;
  Model model_;
  std::vector<std::string> pieces_;
};

TEST_F(Generate, ContinuesThePromptWithTheAskedCount) {
  const Generated result = run("ca", 7);
  EXPECT_EQ(result.prompt_tokens, 2);
  EXPECT_EQ(result.ids, (Ids{'x', 0xc3, 0xa9, '!', TinyTokenizer::end, 'z', 'y'}));
  EXPECT_EQ(result.text, "x\u00e9!</s>zy");
  EXPECT_GT(result.prefill_tokens_per_second.value(), 0);
  EXPECT_GT(result.decode_tokens_per_second.value(), 0);
}

TEST_F(Generate, StreamsWholeCodePoints) {
  const Generated result = run("a", 4);
  EXPECT_EQ(pieces_, (std::vector<std::string>{"x", "\u00e9", "!"}));
  EXPECT_EQ(result.text, "x\u00e9!");
}

TEST_F(Generate, ReplacesACodePointThatTheCountCuts) {
  const Generated result = run("a", 2);
  EXPECT_EQ(result.ids, (Ids{'x', 0xc3}));
  EXPECT_EQ(result.text, "x\ufffd");
  EXPECT_EQ(pieces_, (std::vector<std::string>{"x", "\ufffd"}));
}

TEST_F(Generate, StopsBeforeTheEndWhenAsked) {
  const Generated result = run("a", 7, true);
  EXPECT_EQ(result.ids, (Ids{'x', 0xc3, 0xa9, '!'}));
  EXPECT_EQ(result.text, "x\u00e9!");
}

TEST_F(Generate, StopsAtOnceWhenTheFirstTokenEnds) {
  const Generated result = run("!", 5, true);
  EXPECT_TRUE(result.ids.empty());
  EXPECT_EQ(result.text, "");
  EXPECT_TRUE(result.prefill_tokens_per_second.has_value());
  EXPECT_FALSE(result.decode_tokens_per_second.has_value());
}

TEST_F(Generate, ParsesSpecialTokensOfThePrompt) { EXPECT_EQ(run("a</s>", 1).ids, (Ids{'z'})); }

TEST_F(Generate, OfNoTokensIsEmpty) {
  const Generated result = run("a", 0);
  EXPECT_TRUE(result.ids.empty());
  EXPECT_EQ(result.text, "");
  EXPECT_TRUE(pieces_.empty());
  EXPECT_FALSE(result.decode_tokens_per_second.has_value());
}

TEST_F(Generate, UsesTheWholeContextAndNoMore) {
  EXPECT_EQ(run("a", 48).ids.size(), 48U);  // 47 of them are run again; the context is 48
  try {
    run("a", 49);
    FAIL() << "accepted";
  } catch (const tilewright::usage_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("context_length_exceeded"));
    EXPECT_THAT(error.what(), testing::HasSubstr("maximum context length is 48"));
    EXPECT_THAT(error.what(), testing::HasSubstr("1 in the prompt and 49 to generate"));
  }
  EXPECT_THROW(run("a", INT64_MAX), tilewright::usage_error);
  EXPECT_THROW(run(std::string(60, '0'), 0), tilewright::usage_error);
}

TEST_F(Generate, RefusesAPromptWithoutTokens) {
  EXPECT_THROW(run("", 5), tilewright::usage_error);
  EXPECT_THROW(run("", 0), tilewright::usage_error);
}

TEST_F(Generate, RefusesANegativeCount) { EXPECT_THROW(run("a", -1), tilewright::usage_error); }

}  // namespace
}  // namespace grout
