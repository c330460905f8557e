// SPDX-License-Identifier: Apache-2.0
// Every kernel of the library with each of its element types is assembled for an H200 (sm_90); for the other
// architectures see test/large.
#include "compiler/tileir/cubin.hpp"
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/text.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "support/library_launches.hpp"
#include "tileir/tools.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

constexpr auto a_busy_machines_limit = std::chrono::minutes(4);

class TileirKernels : public TileirTools, public testing::WithParamInterface<library_group> {
 protected:
  static void expect_assembled(const library_launch& launch) {
    const ast::module_view& module = *launch.module;
    try {
      const compiler::tileir::bytecode code = compiler::tileir::emit(launch.program(), compiler::target::sm_90);
      if (const auto fault = find_fault(code)) ADD_FAILURE() << module.name << ": " << to_text(*fault);
      const auto result = assemble(tools(), write(code), module, {.limit = a_busy_machines_limit});
      expect_registers_suffice(compiler::tileir::read_cubin(std::as_bytes(std::span(result.cubin))), code);
    } catch (const error& refused) {
      ADD_FAILURE() << module.name << ": " << refused.what();
    }
  }

  // Without a schedule, too, no more than a few registers go to the stack. Products of f32 have no tensor cores: at
  // these tile sizes they do spill.
  static void expect_registers_suffice(const compiler::tileir::cubin_report& made,
                                       const compiler::tileir::bytecode& code) {
    constexpr std::uint32_t few_bytes = 16;
    const bool has_product = to_text(code).find("mmaf") != std::string::npos;
    if (has_product && made.warp_products + made.warpgroup_products == 0) return;
    EXPECT_LE(made.frame_bytes, few_bytes) << to_text(made);
  }
};

// A group is a test of its own, as the assembler takes seconds.
TEST_P(TileirKernels, AreAssembled) {
  for (const library_launch& launch : GetParam().launches) expect_assembled(launch);
}

INSTANTIATE_TEST_SUITE_P(Of, TileirKernels, testing::ValuesIn(library_groups()),
                         [](const auto& group) { return group.param.name; });

}  // namespace
}  // namespace tilewright::test
