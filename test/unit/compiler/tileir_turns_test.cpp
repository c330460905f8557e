// SPDX-License-Identifier: Apache-2.0
// Blocks that share a sum of floats under a deterministic schedule: each launched block runs its group in order, by
// evaluating the index arithmetic that was emitted.
#include <gtest/gtest.h>

#include <set>

#include "compiler/tileir/emit.hpp"
#include "compiler/tileir/verify.hpp"
#include "support/program_builder.hpp"
#include "tilewright/base/error.hpp"
#include "unit/compiler/index_machine.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::target;

// Each block (i, j, k) of an Accum of pieces [1, 2] adds k; with an Out beside it, it gives the grid. For each launched
// block, the pieces that it adds to and what it adds: a piece that it loads counts 0.
std::vector<std::vector<place>> turns(const place& pieces, std::int64_t sharers, schedule plan, std::int64_t launched) {
  plan.deterministic = true;
  program_builder p(3);
  const int z = p.accum(dtype::f32, {1, 2});
  const value_id number = p.value(op::cast, type_of(dtype::f32), {p.block_id(2)});
  p.combine(z, p.value(op::broadcast, type_of(dtype::f32, {1, 2}), {number}));
  compiler::program source = p.result();
  source.schedule = plan;
  source.parameters[0].facts.fits_31_bits = true;
  const tileir::bytecode code = tileir::emit(source, target::sm_90);
  EXPECT_FALSE(find_fault(code));
  std::vector<std::vector<place>> all;
  for (std::int64_t block = 0; block < launched; ++block) {
    index_machine machine(code, {0, pieces[0], 2 * pieces[1] - 1, 1, 1, sharers}, block, launched);
    all.push_back(machine.run());
    for (std::size_t n = 0; n < all.back().size(); ++n) all.back()[n].push_back(machine.values_stored()[n]);
  }
  return all;
}

TEST(TileirTurns, BlocksThatShareASumOfFloatsTakeTurnsInOneLaunchedBlock) {
  const std::vector<std::vector<place>> got = turns({1, 2}, 3, {}, 2);
  EXPECT_EQ(got[0], (std::vector<place>{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}}));
  EXPECT_EQ(got[1], (std::vector<place>{{0, 1, 0}, {0, 1, 1}, {0, 1, 2}}));
}

TEST(TileirTurns, AreInOrderWhateverTheOrderOfPieces) {
  constexpr std::int64_t sharers = 5;
  for (const place& pieces : {place{1, 1}, place{7, 1}, place{3, 4}}) {
    for (const int swizzle : {0, 2, 8}) {
      for (const std::int64_t launched : {0, 1, 3, 100}) {
        const schedule plan = {.persistent = launched > 0, .swizzle = swizzle, .reversed = swizzle == 2};
        const std::int64_t count = pieces[0] * pieces[1];
        std::set<place> seen;
        for (const std::vector<place>& stored : turns(pieces, sharers, plan, launched > 0 ? launched : count)) {
          ASSERT_EQ(stored.size() % sharers, 0u);
          for (std::size_t n = 0; n < stored.size(); ++n) {
            EXPECT_EQ(stored[n][2], static_cast<std::int64_t>(n % sharers));
            EXPECT_EQ(place(stored[n].begin(), stored[n].begin() + 2),
                      place(stored[n / sharers * sharers].begin(), stored[n / sharers * sharers].begin() + 2));
            seen.insert(stored[n]);
          }
        }
        EXPECT_EQ(seen.size(), static_cast<std::size_t>(count * sharers));
      }
    }
  }
}

// Integers are exact in any order, so nothing waits.
TEST(TileirTurns, ADeterministicScheduleLeavesSumsOfIntegersAlone) {
  const auto emitted = [](const schedule& plan) {
    program_builder p(2);
    p.combine(p.accum(dtype::i64, {2}), p.constant(type_of(dtype::i64, {2}), 1));
    compiler::program source = p.result();
    source.schedule = plan;
    return tileir::emit(source, target::sm_90);
  };
  EXPECT_EQ(emitted({.deterministic = true}), emitted({}));
}

TEST(TileirTurns, RefusesChosenSumsOfFloatsInADeterministicOne) {
  for (const dtype element : {dtype::f32, dtype::i32}) {
    program_builder p(2);
    const int z = p.accum(element, {0});
    const value_id chosen = p.value(op::iota, type_of(dtype::i32, {4}), {}, {0});
    p.combine_at(z, p.constant(type_of(element, {4}), 1), {chosen});
    compiler::program source = p.result();
    source.schedule.deterministic = true;
    if (element == dtype::i32) {
      EXPECT_NO_THROW((void)tileir::emit(source, target::sm_90));
    } else {
      EXPECT_THROW((void)tileir::emit(source, target::sm_90), compile_error);
    }
  }
}

}  // namespace
}  // namespace tilewright::test
