// SPDX-License-Identifier: Apache-2.0
// What the assembler makes of residual checks: kernels with them are accepted, and a checked load loses nothing.
#include "compiler/tileir/cubin.hpp"
#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/write.hpp"
#include "support/checked_launches.hpp"
#include "tileir/tools.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;

class TileirFault : public TileirTools {
 protected:
  static tileir::assembly assembled(const compiler::program& source, compiler::target where) {
    const std::string bytes = tileir::write(tileir::emit(source, where));
    return assemble(tools(), bytes, *source.module,
                    {.architecture = compiler::name_of(where), .more = {"--remarks=all"}});
  }
  static int count(const std::string& text, const std::string& part) {
    int found = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
    return found;
  }
};

TEST_F(TileirFault, OfEachKindIsAccepted) {
  for (const checked_launch& launch : checked_launches()) {
    SCOPED_TRACE(launch.name);
    for (const compiler::target where : {compiler::target::sm_80, compiler::target::sm_90}) {
      const tileir::assembly made = assembled(launch.source, where);
      const tileir::cubin_report report = tileir::read_cubin(std::as_bytes(std::span(made.cubin)));
      EXPECT_EQ(report.parameters.size(), compiler::parameter_block_words(launch.source.parameters) + 1);
    }
  }
}

// The keys and values of attention come by the copy engine into warps of their own, as without checks; the warps that
// multiply get no more registers and spill none.
TEST_F(TileirFault, ChecksLeaveAttentionItsPipeline) {
  const compiler::program checked = paged_attention_launch<true>(16384).source;
  const compiler::program plain = paged_attention_launch<false>(16384).source;
  ASSERT_EQ(checked.residual_checks.size(), 2u);
  ASSERT_TRUE(plain.residual_checks.empty());
  const tileir::assembly with = assembled(checked, compiler::target::sm_90);
  const tileir::assembly without = assembled(plain, compiler::target::sm_90);
  const std::string engine = "Instruction = TMA Load instruction";
  EXPECT_GT(count(without.output, engine), 0);
  EXPECT_EQ(count(with.output, engine), count(without.output, engine)) << with.output;
  const tileir::cubin_report a = tileir::read_cubin(std::as_bytes(std::span(with.cubin)));
  const tileir::cubin_report b = tileir::read_cubin(std::as_bytes(std::span(without.cubin)));
  SCOPED_TRACE(to_text(a) + "\n" + to_text(b));
  EXPECT_EQ(a.copied_loads, b.copied_loads);
  EXPECT_EQ(a.warpgroup_products, b.warpgroup_products);
  EXPECT_EQ(a.registers, b.registers);
  EXPECT_EQ(a.threads, b.threads);
  EXPECT_EQ(a.local_stores, 0u);
}

TEST_F(TileirFault, ChecksLeaveAProductItsCopyEngine) {
  for (const checked_launch& launch : checked_launches()) {
    if (launch.name != "paged_gemm") continue;
    const tileir::assembly made = assembled(launch.source, compiler::target::sm_90);
    const tileir::cubin_report report = tileir::read_cubin(std::as_bytes(std::span(made.cubin)));
    EXPECT_GE(report.copied_loads, 2u) << made.output;
    EXPECT_GT(report.warpgroup_products, 0u) << to_text(report);
    EXPECT_EQ(report.local_stores, 0u) << to_text(report);
  }
}

}  // namespace
}  // namespace tilewright::test
