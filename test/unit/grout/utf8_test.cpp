// SPDX-License-Identifier: Apache-2.0
// Ill-formed UTF-8 is replaced by the maximal-subpart rule, in one piece and in many.
#include "grout/utf8.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <random>
#include <string>

namespace grout {
namespace {

struct Utf8Case {
  const char* name;
  std::string bytes;
  std::string text;
};

std::ostream& operator<<(std::ostream& out, const Utf8Case& entry) { return out << entry.name; }

const Utf8Case cases[] = {
    {"Empty", "", ""},
    {"EverySizeOfCodePoint", "a\xc3\xa9\xe4\xb8\x96\xf0\x9f\x98\x80", "a\xc3\xa9\xe4\xb8\x96\xf0\x9f\x98\x80"},
    {"FirstAndLastOfEachSize", "\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf",
     "\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"},
    {"AroundTheSurrogates", "\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},
    {"NulByte", std::string("a\0b", 3), std::string("a\0b", 3)},
    {"Surrogate", "\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
    {"Overlong", "\xe0\x80\xaf", "\uFFFD\uFFFD\uFFFD"},
    {"OverlongOfTwoBytes", "\xc0\xaf\xc1\xbf", "\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"PastTheLastCodePoint", "\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
    {"LeadsThatDoNotExist", "\xf5\xff\xfe", "\uFFFD\uFFFD\uFFFD"},
    {"LoneContinuations",
     "a\x80"
     "b\xbf",
     "a\uFFFDb\uFFFD"},
    {"CutInsideAndAtTheEnd",
     "\xf0\x9f"
     "A\xe4"
     "B",
     "\uFFFDA\uFFFDB"},
    {"CutAtTheEnd", "\xf0\x9f\x98", "\uFFFD"},
    {"CutByAnotherLead", "\xf0\x9f\x98\xc3\xa9", "\uFFFD\xc3\xa9"},
    {"Latin1", "caf\xe9!", "caf\uFFFD!"},
};

std::string case_name(const testing::TestParamInfo<Utf8Case>& entry) { return entry.param.name; }

class Utf8 : public testing::TestWithParam<Utf8Case> {};

TEST_P(Utf8, IsConvertedAsAWhole) {
  EXPECT_EQ(to_valid_utf8(GetParam().bytes), GetParam().text);
  EXPECT_EQ(is_valid_utf8(GetParam().bytes), GetParam().bytes == GetParam().text);
  EXPECT_TRUE(is_valid_utf8(GetParam().text));
}

TEST_P(Utf8, IsConvertedByteByByte) {
  Utf8Stream stream;
  std::string text;
  for (const char byte : GetParam().bytes) {
    const std::string piece = stream.push({&byte, 1});
    EXPECT_TRUE(is_valid_utf8(piece));
    text += piece;
  }
  EXPECT_EQ(text + stream.finish(), GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(All, Utf8, testing::ValuesIn(cases), case_name);

TEST(Utf8Stream, HoldsBackOnlyAnUnfinishedCodePoint) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("a\xf0\x9f"), "a");
  EXPECT_EQ(stream.push("\x98"), "");
  EXPECT_EQ(stream.push("\x80"
                        "b"),
            "\xf0\x9f\x98\x80"
            "b");
  EXPECT_EQ(stream.finish(), "");
}

TEST(Utf8Stream, GivesIllFormedBytesOutAtOnce) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("\xff"), "\uFFFD");
  EXPECT_EQ(stream.push("\xf0\x9f"), "");
  EXPECT_EQ(stream.push("\xff"), "\uFFFD\uFFFD");
}

TEST(Utf8Stream, IsAsNewAfterFinish) {
  Utf8Stream stream;
  EXPECT_EQ(stream.push("\xe4\xb8"), "");
  EXPECT_EQ(stream.finish(), "\uFFFD");
  EXPECT_EQ(stream.push("\x96"), "\uFFFD");
}

TEST(Utf8Stream, AnyCutsOfRandomBytesGiveTheSameText) {
  std::mt19937 random(7);
  const std::string bytes_often_met =
      "\x80\xbf\xc3\xe0\xa0\xed\x9f\xf0\x90\xf4\x8f\xff"
      "ab";
  for (int round = 0; round < 2000; ++round) {
    std::string bytes;
    for (auto i = random() % 12; i > 0; --i) bytes += bytes_often_met[random() % bytes_often_met.size()];
    Utf8Stream stream;
    std::string text;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t size = 1 + random() % 4;
      text += stream.push(std::string_view(bytes).substr(at, size));
      at += size;
    }
    ASSERT_EQ(text + stream.finish(), to_valid_utf8(bytes)) << testing::PrintToString(bytes);
  }
}

}  // namespace
}  // namespace grout
