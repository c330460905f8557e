// SPDX-License-Identifier: Apache-2.0
// What the assembler's machine code is, held to without a device.
#include "compiler/tileir/cubin.hpp"

#include <cstring>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/write.hpp"
#include "support/classic_launches.hpp"
#include "tileir/tools.hpp"
#include "tilewright/compiler/image.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;

class TileirCubin : public TileirTools {
 protected:
  static tileir::cubin_report report_of(const compiler::program& source, compiler::target where) {
    const std::string bytes = tileir::write(tileir::emit(source, where));
    const auto made = assemble(tools(), bytes, *source.module, {.architecture = compiler::name_of(where)});
    return tileir::read_cubin(std::as_bytes(std::span(made.cubin)));
  }
};

TEST_F(TileirCubin, HasAParameterForEachWordOfTheBlock) {
  for (const classic_launch& launch : classic_launches()) {
    if (launch.name == "attention") continue;  // seconds
    const compiler::program source = bound(launch);
    for (const compiler::target where : {compiler::target::sm_80, compiler::target::sm_90}) {
      const tileir::cubin_report report = report_of(source, where);
      SCOPED_TRACE(to_text(report));
      EXPECT_EQ(report.symbol, tileir::symbol_of(source));
      EXPECT_EQ(std::string("sm_") + std::to_string(report.architecture), compiler::name_of(where));
      EXPECT_GT(report.registers, 0U);
      EXPECT_GE(report.threads[0], 32U);
      ASSERT_EQ(report.parameters.size(), compiler::parameter_block_words(source.parameters));
      EXPECT_EQ(report.parameters[0], (tileir::cubin_parameter{0, 8})) << "the first is a pointer";
    }
  }
}

// The units that make a product fast are used: operands from shared memory, whole tiles by the copy engine.
TEST_F(TileirCubin, OfAProductUsesTensorCores) {
  for (const classic_launch& launch : classic_launches()) {
    if (launch.name != "gemm") continue;
    const tileir::cubin_report on_90 = report_of(bound(launch), compiler::target::sm_90);
    EXPECT_GT(on_90.warpgroup_products, 0U) << to_text(on_90);
    EXPECT_GT(on_90.copied_loads, 0U) << to_text(on_90);
    const tileir::cubin_report on_80 = report_of(bound(launch), compiler::target::sm_80);
    EXPECT_GT(on_80.warp_products, 0U) << to_text(on_80);
    EXPECT_GT(on_80.asynchronous_loads, 0U) << to_text(on_80);
  }
}

}  // namespace
}  // namespace tilewright::test
