// SPDX-License-Identifier: Apache-2.0
// The captured modules of the classic kernels as text, against test/golden/<kernel>.ast. A change there is a change of
// what capture records: read the difference, then accept it with TILEWRIGHT_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "support/classic_kernels.hpp"
#include "tilewright/ast/printer.hpp"
#include "tilewright/ast/verify.hpp"

namespace tilewright::test {
namespace {

struct golden_case {
  const char* name;
  const ast::module_view* module;
};
void PrintTo(const golden_case& printed, std::ostream* out) { *out << printed.name; }

class ModuleText : public testing::TestWithParam<golden_case> {};

std::string read_file(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST_P(ModuleText, IsAsStored) {
  const std::string path = std::string(TILEWRIGHT_SOURCE_DIR "/test/golden/") + GetParam().name + ".ast";
  const std::string text = ast::to_text(*GetParam().module);
  if (const char* update = std::getenv("TILEWRIGHT_UPDATE_GOLDEN"); update != nullptr && std::string(update) == "1") {
    std::ofstream(path) << text;
  }
  EXPECT_EQ(text, read_file(path)) << "accept with TILEWRIGHT_UPDATE_GOLDEN=1";
}

TEST_P(ModuleText, IsOfAModuleThatKeepsTheRules) {
  for (const ast::violation& v : ast::verify(*GetParam().module))
    ADD_FAILURE() << "record " << v.record << ": " << v.rule;
}

INSTANTIATE_TEST_SUITE_P(Of, ModuleText,
                         testing::Values(golden_case{"add", add.reference().module},
                                         golden_case{"saxpy", saxpy.reference().module},
                                         golden_case{"softmax", softmax.reference().module},
                                         golden_case{"gemm", gemm.reference().module},
                                         golden_case{"attention", attention.reference().module},
                                         golden_case{"column_sums", column_sums.reference().module},
                                         golden_case{"greatest_from_here", greatest_from_here.reference().module},
                                         golden_case{"states_from_here", states_from_here.reference().module},
                                         golden_case{"long_scan", long_scan.reference().module},
                                         golden_case{"half_rows", half_rows.reference().module}),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tilewright::test
