// SPDX-License-Identifier: Apache-2.0
// GGUF files that lie: each is refused with a message that names the fault, before any data is touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>

#include "grout/gguf.hpp"
#include "support/gguf_cases.hpp"
#include "support/tiny_llama.hpp"
#include "support/tiny_tokenizer.hpp"
#include "tilewright/base/error.hpp"

namespace grout {
namespace {

using test_support::GgufCase;

// An exact copy on the heap, so that the address sanitizer sees a read one byte past the end.
Gguf parse_copy(const std::string& bytes, std::unique_ptr<char[]>& copy) {
  copy = std::make_unique<char[]>(bytes.size());
  std::copy_n(bytes.data(), bytes.size(), copy.get());
  return Gguf::parse({copy.get(), bytes.size()}, "test.gguf");
}

std::string case_name(const testing::TestParamInfo<GgufCase>& info) { return info.param.name; }

class ValidGguf : public testing::TestWithParam<GgufCase> {};

TEST_P(ValidGguf, IsAccepted) {
  std::unique_ptr<char[]> copy;
  EXPECT_NO_THROW(parse_copy(GetParam().bytes, copy));
}

TEST_P(ValidGguf, IsRefusedWhereverItIsCut) {
  const std::string& bytes = GetParam().bytes;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    std::unique_ptr<char[]> copy;
    EXPECT_THROW(parse_copy(bytes.substr(0, size), copy), tilewright::io_error) << "cut to " << size << " bytes";
  }
}

INSTANTIATE_TEST_SUITE_P(All, ValidGguf, testing::ValuesIn(test_support::valid_gguf_cases()), case_name);

class BrokenGguf : public testing::TestWithParam<GgufCase> {};

TEST_P(BrokenGguf, IsRefusedWithItsReason) {
  std::unique_ptr<char[]> copy;
  try {
    parse_copy(GetParam().bytes, copy);
    FAIL() << "accepted";
  } catch (const tilewright::io_error& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(GetParam().error));
    EXPECT_THAT(e.parts().where, testing::HasSubstr("test.gguf"));
    EXPECT_FALSE(e.parts().expected.empty());
    EXPECT_FALSE(e.parts().got.empty());
    EXPECT_FALSE(e.parts().fix.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenGguf, testing::ValuesIn(test_support::broken_gguf_cases()), case_name);

// A whole model, as small as the encodings allow.
std::string small_llama() {
  return test_support::TinyLlama({.layers = 1, .heads = 4, .key_heads = 1, .hidden = 64, .vocabulary = 4}).gguf();
}

// The stored corpus is what the fuzzer starts from; TILEWRIGHT_UPDATE_GOLDEN=1 writes it anew.
TEST(GgufCorpus, HoldsEveryCase) {
  const auto folder = std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / "test/fuzz/corpus/gguf";
  auto cases = test_support::valid_gguf_cases();
  for (auto& broken : test_support::broken_gguf_cases()) cases.push_back(std::move(broken));
  cases.push_back({"valid_tokenizer", test_support::TinyTokenizer().gguf(), ""});
  cases.push_back({"valid_llama", small_llama(), ""});
  for (const GgufCase& entry : cases) {
    if (entry.bytes.size() > 65536) continue;  // long only to show that depth costs nothing
    const auto path = folder / (entry.name + ".gguf");
    if (std::getenv("TILEWRIGHT_UPDATE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << entry.bytes;
    }
    std::ifstream stored(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stored), {}};
    EXPECT_TRUE(stored.is_open() && bytes == entry.bytes) << entry.name;
  }
}

}  // namespace
}  // namespace grout
