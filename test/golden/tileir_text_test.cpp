// SPDX-License-Identifier: Apache-2.0
// The Tile IR of the classic kernels as text, against test/golden/<kernel>.tileir; accept a change with
// TILEWRIGHT_UPDATE_GOLDEN=1. Bytes are made twice, read back and bound for time.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/read.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "support/classic_launches.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;

class TileirText : public testing::TestWithParam<classic_launch> {};

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST_P(TileirText, IsAsStored) {
  const std::string path = std::string(TILEWRIGHT_SOURCE_DIR "/test/golden/") + GetParam().name + ".tileir";
  const std::string text = to_text(tileir::emit(bound(GetParam()), compiler::target::sm_90));
  if (const char* update = std::getenv("TILEWRIGHT_UPDATE_GOLDEN"); update != nullptr && std::string(update) == "1") {
    std::ofstream(path) << text;
  }
  EXPECT_EQ(text, read_file(path)) << "accept with TILEWRIGHT_UPDATE_GOLDEN=1";
}

TEST_P(TileirText, IsThatOfTheBytes) {
  const tileir::bytecode made = tileir::emit(bound(GetParam()), compiler::target::sm_90);
  const std::string bytes = write(made);
  EXPECT_EQ(tileir::read(bytes), made);
  const auto fault = find_fault(made);
  EXPECT_FALSE(fault.has_value()) << to_text(*fault);
  EXPECT_EQ(write(tileir::emit(bound(GetParam()), compiler::target::sm_90)), bytes);
}

// From captured module to bytes. The bound is that of an optimised build on an idle machine, times ten.
TEST_P(TileirText, IsMadeInMilliseconds) {
  std::vector<double> milliseconds;
  for (int round = 0; round < 21; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::string bytes = write(tileir::emit(bound(GetParam()), compiler::target::sm_90));
    milliseconds.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    ASSERT_FALSE(bytes.empty());
  }
  std::sort(milliseconds.begin(), milliseconds.end());
  RecordProperty("median_ms", std::to_string(milliseconds[10]));
  EXPECT_LT(milliseconds[10], 20);
}

INSTANTIATE_TEST_SUITE_P(Of, TileirText, testing::ValuesIn(plain_and_scheduled_launches()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tilewright::test
