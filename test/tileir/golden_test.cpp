// SPDX-License-Identifier: Apache-2.0
// The kernels of test/golden/*.tileir: the vendor's disassembler shows what our printer shows, and the assembler makes
// a cubin of them.
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/write.hpp"
#include "support/checked_launches.hpp"
#include "support/classic_launches.hpp"
#include "tileir/mutation.hpp"
#include "tileir/shown_text.hpp"
#include "tileir/tools.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;

class TileirGolden : public TileirTools, public testing::WithParamInterface<classic_launch> {};

TEST_P(TileirGolden, IsShownEqualByTheDisassembler) {
  const tileir::bytecode made = tileir::emit(bound(GetParam()), compiler::target::sm_90);
  expect_shown_alike(to_text(made), disassemble(tools(), write(made)));
}

// The comparison above sees each change of one operand, type or attribute.
TEST_P(TileirGolden, WithOneThingChangedIsShownOtherwise) {
  const tileir::bytecode made = tileir::emit(bound(GetParam()), compiler::target::sm_90);
  const auto theirs = shown_by(shown_text::writer::theirs, disassemble(tools(), write(made)));
  int changes = 0;
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    const tileir_mutation mutation(made, seed);
    const std::string text = to_text(mutation.made());
    if (text == to_text(made)) continue;
    EXPECT_NE(shown_by(shown_text::writer::ours, text), theirs) << mutation.text();
    ++changes;
  }
  EXPECT_GT(changes, 20);
}

TEST_P(TileirGolden, IsAssembled) {
  const compiler::program source = bound(GetParam());
  const std::string bytes = write(tileir::emit(source, compiler::target::sm_90));
  EXPECT_EQ(assemble(tools(), bytes, *source.module).cubin.substr(1, 3), "ELF");
}

// Kernels that report what fails in them use pointers, atomics and branches, which no other kernel does.
class TileirChecked : public TileirTools {};

TEST_F(TileirChecked, IsShownEqualAndCheckedAlike) {
  int refusals = 0;
  for (const checked_launch& launch : checked_launches()) {
    SCOPED_TRACE(launch.name);
    const tileir::bytecode made = tileir::emit(launch.source, compiler::target::sm_90);
    expect_shown_alike(to_text(made), disassemble(tools(), write(made)));
    refusals += compare_verifiers(tools(), made, 40, 1);
  }
  EXPECT_GT(refusals, 20);
}

INSTANTIATE_TEST_SUITE_P(Of, TileirGolden, testing::ValuesIn(plain_and_scheduled_launches()),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace tilewright::test
