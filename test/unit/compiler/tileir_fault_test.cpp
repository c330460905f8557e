// SPDX-License-Identifier: Apache-2.0
// How residual checks look in Tile IR: the status pointer, and no write where it would hold up a loop.
#include <gtest/gtest.h>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/verify.hpp"
#include "compiler/tileir/write.hpp"
#include "support/checked_launches.hpp"

namespace tilewright::test {
namespace {

namespace tileir = compiler::tileir;
using compiler::target;
using tileir::opcode;

struct found_operations {
  int claims = 0, claims_in_loops = 0;
};

void count(const std::vector<tileir::operation>& body, bool is_in_loop, found_operations& found) {
  for (const tileir::operation& next : body) {
    if (next.code == opcode::atomic_cas) ++(is_in_loop ? found.claims_in_loops : found.claims);
    for (const tileir::region& inner : next.regions) {
      count(inner.body, is_in_loop || next.code == opcode::for_, found);
    }
  }
}

std::size_t parameters_of(const tileir::bytecode& code) {
  return code.types[code.kernels[0].signature].parameters.size();
}

TEST(TileirFault, IsWrittenOnceAtTheEndOfABlock) {
  for (const checked_launch& launch : checked_launches()) {
    SCOPED_TRACE(launch.name);
    EXPECT_FALSE(launch.source.residual_checks.empty());
    const tileir::bytecode code = tileir::emit(launch.source, target::sm_90);
    if (const auto fault = tileir::find_fault(code)) ADD_FAILURE() << to_text(*fault);
    EXPECT_EQ(parameters_of(code), compiler::parameter_block_words(launch.source.parameters) + 1);
    EXPECT_TRUE(tileir::launch_form_of(launch.source, target::sm_90).has_status);
    found_operations found;
    count(code.kernels[0].body, false, found);
    EXPECT_EQ(found.claims, 1);
    EXPECT_EQ(found.claims_in_loops, 0);
  }
}

TEST(TileirFault, CostsNothingWithoutChecks) {
  const checked_launch launch = paged_attention_launch<false>(1024);
  EXPECT_TRUE(launch.source.residual_checks.empty());
  const tileir::bytecode code = tileir::emit(launch.source, target::sm_90);
  EXPECT_EQ(parameters_of(code), compiler::parameter_block_words(launch.source.parameters));
  EXPECT_FALSE(tileir::launch_form_of(launch.source, target::sm_90).has_status);
  found_operations found;
  count(code.kernels[0].body, false, found);
  EXPECT_EQ(found.claims, 0);
}

TEST(TileirFault, OfAPersistentKernelIsWrittenForEachBlock) {
  checked_launch launch = std::move(checked_launches()[0]);
  launch.source.schedule.persistent = true;
  const tileir::bytecode code = tileir::emit(launch.source, target::sm_90);
  if (const auto fault = tileir::find_fault(code)) ADD_FAILURE() << to_text(*fault);
  found_operations found;
  count(code.kernels[0].body, false, found);
  EXPECT_EQ(found.claims_in_loops, 1);
}

}  // namespace
}  // namespace tilewright::test
