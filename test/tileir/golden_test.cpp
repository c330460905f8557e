// SPDX-License-Identifier: Apache-2.0
// The kernels of test/golden/*.tileir: the vendor's disassembler shows the operations and types that our printer shows,
// and the assembler makes a cubin of them.
#include <regex>
#include <sstream>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/write.hpp"
#include "support/classic_launches.hpp"
#include "tileir/tools.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;

class TileirGolden : public TileirTools, public testing::WithParamInterface<classic_launch> {};

// Mnemonics in their order; both texts write one operation a line, results first. The end of a loop that carries
// nothing is not shown by the disassembler.
std::vector<std::string> mnemonics(const std::string& text) {
  static const std::regex form(R"(^\s*(?:%[^=]*= )?([a-z][a-z_0-9]*)\b)");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    const bool is_bare_end = line.find_first_not_of(' ') == line.find("continue") && line.ends_with("continue");
    if (!is_bare_end && std::regex_search(line, match, form)) found.push_back(match[1]);
  }
  found.erase(found.begin());  // "kernel" there, "entry" here
  return found;
}

std::multiset<std::string> types(const std::string& text, const std::string& kind) {
  const std::regex form(kind + R"(<[^\s%]*>)");
  return {std::sregex_token_iterator(text.begin(), text.end(), form), std::sregex_token_iterator()};
}

TEST_P(TileirGolden, IsShownEqualByTheDisassembler) {
  const tileir::bytecode made = tileir::emit(bound(GetParam()), compiler::target::sm_90);
  const std::string theirs = disassemble(tools(), write(made)), ours = to_text(made);
  EXPECT_EQ(mnemonics(theirs), mnemonics(ours)) << theirs;
  for (const std::string& type : types(ours, "tile")) EXPECT_NE(theirs.find(type), std::string::npos) << type;
}

TEST_P(TileirGolden, IsAssembled) {
  const compiler::program source = bound(GetParam());
  const std::string bytes = write(tileir::emit(source, compiler::target::sm_90));
  EXPECT_EQ(assemble(tools(), bytes, *source.module).cubin.substr(1, 3), "ELF");
}

INSTANTIATE_TEST_SUITE_P(Of, TileirGolden, testing::ValuesIn(plain_and_scheduled_launches()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tilewright::test
