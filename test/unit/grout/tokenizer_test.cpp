// SPDX-License-Identifier: Apache-2.0
// Merging, special tokens and decoding, on a vocabulary that can be worked out by hand.
#include "grout/tokenizer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "support/tiny_tokenizer.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::TinyTokenizer;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto ab = TinyTokenizer::ab, bc = TinyTokenizer::bc, abc = TinyTokenizer::abc, aa = TinyTokenizer::aa,
               aaaa = TinyTokenizer::aaaa, start = TinyTokenizer::start, end = TinyTokenizer::end,
               longer = TinyTokenizer::longer;

class TinyTokens : public testing::Test {
 protected:
  const Tokenizer tokenizer_ = TinyTokenizer().make();
};

TEST_F(TinyTokens, LowestRankMergesFirstThenLeftmost) {
  EXPECT_THAT(tokenizer_.encode("abc", false), ElementsAre(abc));
  EXPECT_THAT(tokenizer_.encode("bcab", false), ElementsAre(bc, ab));
  EXPECT_THAT(tokenizer_.encode("aab", false), ElementsAre('a', ab));  // "a b" goes before "a a"
  EXPECT_THAT(tokenizer_.encode("aaa", false), ElementsAre(aa, 'a'));
  EXPECT_THAT(tokenizer_.encode("aaaaaa", false), ElementsAre(aaaa, aa));
}

TEST_F(TinyTokens, NothingMergesAcrossASplit) {
  EXPECT_THAT(tokenizer_.encode("a b", false), ElementsAre('a', ' ', 'b'));
  EXPECT_THAT(tokenizer_.encode("ab.bc", false), ElementsAre(ab, '.', bc));
}

TEST_F(TinyTokens, EmptyTextGivesNothing) {
  EXPECT_THAT(tokenizer_.encode("", true), IsEmpty());
  EXPECT_EQ(tokenizer_.decode({}), "");
}

TEST_F(TinyTokens, SpecialTokensAreParsedOnlyOnRequest) {
  EXPECT_THAT(tokenizer_.encode("<s>ab", true), ElementsAre(start, ab));
  EXPECT_THAT(tokenizer_.encode("<s>ab", false), ElementsAre('<', 's', '>', ab));
}

TEST_F(TinyTokens, SpecialTokensMayStandAnywhereAndTouchEachOther) {
  EXPECT_THAT(tokenizer_.encode("a<s></s>b<", true), ElementsAre('a', start, end, 'b', '<'));
  EXPECT_THAT(tokenizer_.encode("a<s", true), ElementsAre('a', '<', 's'));
}

TEST_F(TinyTokens, LongestSpecialTokenWins) { EXPECT_THAT(tokenizer_.encode("</s>>", true), ElementsAre(longer)); }

TEST_F(TinyTokens, IllFormedTextIsReadAsReplacementCharacters) {
  EXPECT_THAT(tokenizer_.encode("a\xff", false), ElementsAre('a', 0xef, 0xbf, 0xbd));
  EXPECT_EQ(tokenizer_.decode(tokenizer_.encode("\xf0\x9f\xff", true)), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST_F(TinyTokens, DecodingJoinsBytesBeforeItReadsCharacters) {
  EXPECT_EQ(tokenizer_.decode(std::vector<std::int32_t>{0xc3, 0xa9, start, abc}), "\xc3\xa9<s>abc");
  EXPECT_EQ(tokenizer_.decode(std::vector<std::int32_t>{0xc3, 'x'}), "\xef\xbf\xbdx");
}

TEST_F(TinyTokens, StreamGivesOutWholeCharactersOnly) {
  StreamDecoder stream(tokenizer_);
  EXPECT_EQ(stream.push(0xc3), "");
  EXPECT_EQ(stream.push(0xa9), "\xc3\xa9");
  EXPECT_EQ(stream.push(abc), "abc");
  EXPECT_EQ(stream.push(0xe4), "");
  EXPECT_EQ(stream.finish(), "\xef\xbf\xbd");
}

TEST_F(TinyTokens, UnknownIdIsRefusedByNumber) {
  for (const std::int32_t id : {-1, tokenizer_.size()}) {
    try {
      tokenizer_.decode(std::vector<std::int32_t>{'a', id});
      FAIL() << "decoded " << id;
    } catch (const tilewright::usage_error& e) {
      EXPECT_THAT(e.what(), HasSubstr("an id from 0 to 263; got: " + std::to_string(id)));
    }
  }
}

TEST_F(TinyTokens, PropertiesOfTokensAreKnown) {
  EXPECT_EQ(tokenizer_.size(), 264);
  EXPECT_EQ(tokenizer_.bos_id(), start);
  EXPECT_TRUE(tokenizer_.is_end(end));
  EXPECT_FALSE(tokenizer_.is_end(start));
  EXPECT_EQ(tokenizer_.token_kind(start), TokenKind::control);
  EXPECT_EQ(tokenizer_.token_kind(ab), TokenKind::normal);
  EXPECT_EQ(tokenizer_.token_bytes(0x20), " ");
}

TEST(Tokenizer, ByteWithoutATokenIsLeftOutAndBlocksMerges) {
  TinyTokenizer tiny;
  tiny.tokens['.'] = "unused!";
  tiny.pattern = ".+";
  EXPECT_THAT(tiny.make().encode("a.b.", false), ElementsAre('a', 'b'));
}

TEST(Tokenizer, OneObjectServesSeveralThreads) {
  const Tokenizer tokenizer = TinyTokenizer().make();
  const std::string text(5000, 'a');
  const auto expected = tokenizer.encode(text, true);
  std::vector<std::vector<std::int32_t>> results(4);
  std::vector<std::thread> threads;
  for (auto& result : results) threads.emplace_back([&] { result = tokenizer.encode(text, true); });
  for (auto& thread : threads) thread.join();
  for (const auto& result : results) EXPECT_EQ(result, expected);
}

std::string io_error_of(const TinyTokenizer& tiny) {
  try {
    tiny.make();
  } catch (const tilewright::io_error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(LyingVocabulary, DuplicateTokenIsNamedWithBothIds) {
  TinyTokenizer tiny;
  tiny.tokens[TinyTokenizer::bc] = "ab";
  EXPECT_THAT(io_error_of(tiny), HasSubstr("duplicate token; where: file test.gguf, token 257; expected: each token "
                                           "once; got: 'ab', which is also token 256"));
}

TEST(LyingVocabulary, EmptyTokenIsRefused) {
  TinyTokenizer tiny;
  tiny.tokens[7] = "";
  EXPECT_THAT(io_error_of(tiny), HasSubstr("an empty token; where: file test.gguf, token 7"));
}

TEST(LyingVocabulary, TokenOutsideTheByteAlphabetIsRefused) {
  for (const char* text : {"a b", "\xe4\xb8\x96", "\xff", "\xc3", "\xc6\x80"}) {
    TinyTokenizer tiny;
    tiny.tokens[300 % 256] = text;
    EXPECT_THAT(io_error_of(tiny), HasSubstr("a token outside the byte alphabet; where: file test.gguf, token 44"))
        << text;
  }
}

TEST(LyingVocabulary, MergeOfAnUnknownTokenIsRefused) {
  TinyTokenizer tiny;
  tiny.merges[1] = "b xyz";
  EXPECT_THAT(io_error_of(tiny), HasSubstr("merge 1; expected: a token of the vocabulary; got: 'xyz' in 'b xyz'"));
  tiny.merges[1] = "b d";
  EXPECT_THAT(io_error_of(tiny), HasSubstr("got: 'bd' in 'b d'"));
}

TEST(LyingVocabulary, MalformedMergeIsRefused) {
  for (const char* merge : {"ab", "a b c", ""}) {
    TinyTokenizer tiny;
    tiny.merges[0] = merge;
    EXPECT_THAT(io_error_of(tiny), HasSubstr("a malformed merge; where: file test.gguf, merge 0")) << merge;
  }
}

TEST(LyingVocabulary, DuplicateMergeIsRefused) {
  TinyTokenizer tiny;
  tiny.merges.push_back("a b");
  EXPECT_THAT(io_error_of(tiny), HasSubstr("duplicate merge; where: file test.gguf, merge 5"));
}

TEST(LyingVocabulary, CountsThatDifferAreRefused) {
  TinyTokenizer tiny;
  tiny.kinds.pop_back();
  EXPECT_THAT(io_error_of(tiny), HasSubstr("tokens and token types differ in number"));
  tiny.tokens.clear();
  EXPECT_THAT(io_error_of(tiny), HasSubstr("a vocabulary of impossible size"));
}

TEST(LyingVocabulary, IdsPastTheVocabularyAreRefused) {
  TinyTokenizer tiny;
  tiny.eos = 264;
  EXPECT_THAT(io_error_of(tiny), HasSubstr("end-of-text token; expected: 0 to 263; got: 264"));
  tiny = {};
  tiny.bos = -1;
  EXPECT_THAT(io_error_of(tiny), HasSubstr("beginning-of-text token; expected: 0 to 263; got: -1"));
}

TEST(Tokenizer, MalformedPatternIsRefusedWithItsPlace) {
  TinyTokenizer tiny;
  tiny.pattern = "a(b";
  try {
    tiny.make();
    FAIL() << "accepted";
  } catch (const tilewright::usage_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("'a(b' at offset 3"));
  }
}

std::string io_error_of_file(const TinyTokenizer& tiny) {
  const std::string bytes = tiny.gguf();
  try {
    Tokenizer::from_gguf(Gguf::parse(bytes, "test.gguf"));
  } catch (const tilewright::io_error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(TokenizerFile, TinyOneIsRead) {
  const std::string bytes = TinyTokenizer().gguf();
  const Tokenizer tokenizer = Tokenizer::from_gguf(Gguf::parse(bytes, "test.gguf"));
  EXPECT_EQ(tokenizer.size(), 264);
  EXPECT_THAT(tokenizer.encode("<s>abc12", true), ElementsAre(start, abc, '1', '2'));
  EXPECT_TRUE(tokenizer.is_end(end));
}

TEST(TokenizerFile, UnsupportedKindsAreNamed) {
  TinyTokenizer tiny;
  tiny.model = "llama";
  EXPECT_THAT(io_error_of_file(tiny), HasSubstr("unsupported tokenizer; where: file test.gguf, key "
                                                "'tokenizer.ggml.model'; expected: 'gpt2' (byte-level BPE); got: "
                                                "'llama'"));
  tiny.model = "gpt2";
  tiny.split = "qwen2";
  EXPECT_THAT(io_error_of_file(tiny), HasSubstr("key 'tokenizer.ggml.pre'; expected: 'smollm'; got: 'qwen2'"));
}

TEST(TokenizerFile, ValuesOutOfRangeAreRefused) {
  TinyTokenizer tiny;
  tiny.eos = 264;
  EXPECT_THAT(io_error_of_file(tiny), HasSubstr("key 'tokenizer.ggml.eos_token_id'; expected: an integer from 0 to"));
  tiny = {};
  tiny.kinds[3] = 0;
  EXPECT_THAT(io_error_of_file(tiny), HasSubstr("key 'tokenizer.ggml.token_type'; expected: an integer from 1 to 6; "
                                                "got: 0 at index 3"));
}

TEST(TokenizerFile, FileWithoutATokenizerIsRefused) {
  const std::string bytes = test_support::GgufWriter().counts(0, 0).bytes();
  EXPECT_THROW(Tokenizer::from_gguf(Gguf::parse(bytes, "test.gguf")), tilewright::io_error);
}

}  // namespace
}  // namespace grout
