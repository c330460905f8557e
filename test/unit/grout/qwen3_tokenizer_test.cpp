// SPDX-License-Identifier: Apache-2.0
// The same code under another vocabulary and split: Qwen3's, three times as large. Its texts and its runs without a
// boundary have published ids. Reads ../shared, and is skipped without it. NFC is not part of this code, so texts that
// NFC would change are left out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "grout/tokenizer.hpp"
#include "support/sha256.hpp"
#include "support/text_runs.hpp"

namespace grout {
namespace {

using nlohmann::json;
using Ids = std::vector<std::int32_t>;

std::filesystem::path shared_data() {
  if (const char* named = std::getenv("TILEWRIGHT_SHARED"); named != nullptr)
    return std::filesystem::path(named) / "data";
  return std::filesystem::path(TILEWRIGHT_SOURCE_DIR).parent_path() / "shared" / "data";
}

std::string read_xz(const std::filesystem::path& path) {
  std::string text;
  std::FILE* pipe = popen(("xz -dc '" + path.string() + "'").c_str(), "r");
  if (pipe == nullptr) return text;
  std::string block(1 << 16, '\0');
  for (std::size_t got = 0; (got = std::fread(block.data(), 1, block.size(), pipe)) > 0;) text.append(block, 0, got);
  pclose(pipe);
  return text;
}

// The pattern as the tokenizer file spells it, but for its \s: PCRE2's also takes U+180E.
constexpr const char* qwen3_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\p{White_Space}\p{L}\p{N}]+[\r\n]*)"
    R"(|\p{White_Space}*[\r\n]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+)";

Tokenizer make_qwen3(const json& file) {
  std::vector<std::string> tokens(file["model"]["vocab"].size() + file["added_tokens"].size());
  TokenizerSource source;
  source.kinds.assign(tokens.size(), TokenKind::normal);
  for (const auto& [text, id] : file["model"]["vocab"].items()) tokens.at(id.get<std::size_t>()) = text;
  for (const json& added : file["added_tokens"]) {
    tokens.at(added["id"].get<std::size_t>()) = added["content"];
    source.kinds.at(added["id"].get<std::size_t>()) = added["special"] ? TokenKind::control : TokenKind::user_defined;
  }
  std::vector<std::string> merges;
  for (const json& merge : file["model"]["merges"]) {
    merges.push_back(merge[0].get<std::string>() + ' ' + merge[1].get<std::string>());
  }
  source.name = "Qwen3";
  source.tokens.assign(tokens.begin(), tokens.end());
  source.merges.assign(merges.begin(), merges.end());
  source.split_pattern = qwen3_pattern;
  return Tokenizer(source);
}

class Qwen3Tokens : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto path = shared_data() / "qwen3" / "tokenizer.json.xz";
    if (!std::filesystem::exists(path)) return;
    const std::string text = read_xz(path);
    if (!text.empty()) tokenizer_ = std::make_unique<Tokenizer>(make_qwen3(json::parse(text)));
  }
  static void TearDownTestSuite() { tokenizer_.reset(); }
  void SetUp() override {
    if (tokenizer_ == nullptr) GTEST_SKIP() << "needs the program xz and " << shared_data() / "qwen3/tokenizer.json.xz";
  }

  static inline std::unique_ptr<Tokenizer> tokenizer_;
};

TEST_F(Qwen3Tokens, TextsGiveThePublishedIds) {
  const json data = json::parse(std::ifstream(shared_data() / "oracles" / "qwen3-tokens.json"));
  int compared = 0;
  for (const json& entry : data["cases"]) {
    const auto text = entry["text"].get<std::string>();
    if (entry["decoded"] != entry["text"]) continue;
    EXPECT_EQ(tokenizer_->encode(text, true), entry["ids"].get<Ids>()) << entry["name"] << ": " << entry["text"];
    ++compared;
  }
  EXPECT_GT(compared, 90);
  for (const json& entry : data["decode_cases"]) {
    EXPECT_EQ(tokenizer_->decode(entry["ids"].get<Ids>()), entry["decoded"].get<std::string>()) << entry["name"];
  }
}

struct KnownRun {
  const char* unit;
  std::size_t times;
  std::size_t count;
  std::int32_t first;
  const char* sha256;  // of the ids as little-endian words, its first 16 digits
};

constexpr KnownRun runs[] = {
    {"a", 100, 13, 69440, "f763030507185ae1"},     {"a", 100000, 12500, 69440, "a3256db623d40baa"},
    {"_", 50000, 782, 46932, "773e3ea2ad7047fd"},  {"=", 4096, 64, 8152, "9b0637e7cf76ee67"},
    {" ", 5000, 40, 56940, "fe346a643ff2ed88"},    {"\n", 5000, 157, 79083, "717cc21e5d2da204"},
    {"ab", 50000, 50000, 370, "ca2d4c2bfe4dc0ba"}, {"letters", 100000, 54550, 36306, "923bc12284eab761"},
};

TEST_F(Qwen3Tokens, RunsWithoutABoundaryGiveThePublishedIds) {
  for (const KnownRun& run : runs) {
    SCOPED_TRACE(testing::PrintToString(run.unit) + " x " + std::to_string(run.times));
    const std::string text = test_support::run_of(run.unit, run.times);
    const Ids ids = tokenizer_->encode(text, true);
    std::string words;
    for (const auto id : ids) {
      for (int shift = 0; shift < 32; shift += 8) words += static_cast<char>(id >> shift);
    }
    EXPECT_EQ(ids.size(), run.count);
    EXPECT_EQ(ids.front(), run.first);
    EXPECT_EQ(test_support::sha256(words).substr(0, 16), run.sha256);
    EXPECT_EQ(tokenizer_->decode(ids), text);
  }
}

TEST(Sha256, DigestsOfTheStandardAreRight) {
  EXPECT_EQ(test_support::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(test_support::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

}  // namespace
}  // namespace grout
