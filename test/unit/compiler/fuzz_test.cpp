// SPDX-License-Identifier: Apache-2.0
// The frame of `tilewright fuzz`: what it finds becomes small, and what may differ is told from what may not.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <thread>

#include "compiler/simplify/dead_code.hpp"
#include "support/fuzz/program_types.hpp"
#include "support/fuzz/shrink.hpp"
#include "support/fuzz/value_facts.hpp"
#include "support/program_builder.hpp"
#include "tilewright/base/error.hpp"
#include "unit/runtime/temporary_folder.hpp"

namespace tilewright::test {
namespace {

using ast::op;
using compiler::block;
using compiler::instruction;
using compiler::program;

// ---- Shrinking
// The interpreter with one op that computes another.
void change(block& code, op from, op to) {
  for (instruction& next : code.body) {
    for (block& inner : next.blocks) change(inner, from, to);
    if (next.op == from) next.op = to;
  }
}
back_end_run wrong_in(op from, op to) {
  return [=](const program& source, const tile_launch& launch, compiler::fault_status& faults) {
    program wrong = source;
    change(wrong.entry, from, to);
    run_on_host(compiler::target::interp)(wrong, launch, faults);
  };
}

class WrongOp : public testing::TestWithParam<std::pair<op, op>> {};

TEST_P(WrongOp, IsFoundAndBecomesAKernelOfAFewInstructions) {
  const auto [from, to] = GetParam();
  const back_end_run wrong = wrong_in(from, to);
  const auto fails = [&](const fuzz_case& tried) { return compare(tried, wrong).what == outcome::kind::different; };
  std::uint32_t seed = 0;
  constexpr std::uint32_t most = 5000;  // which seed it is changes with every row of the op table
  while (seed < most && !fails(random_case(seed))) ++seed;
  ASSERT_LT(seed, most) << "never found";
  const fuzz_case small = shrink(random_case(seed), fails);
  EXPECT_TRUE(fails(small));
  EXPECT_LE(instruction_count(small.source), 10) << to_text(small);
  EXPECT_GE(op_counts(small.source)[static_cast<std::size_t>(from)], 1U) << to_text(small);
  const outcome found = compare(small, wrong);
  EXPECT_NE(found.reason.find("expected "), std::string::npos) << found.reason;
  EXPECT_NE(found.reason.find(", got "), std::string::npos) << found.reason;
}

INSTANTIATE_TEST_SUITE_P(On, WrongOp,
                         testing::Values(std::pair{op::bit_xor, op::bit_or}, std::pair{op::scan_sum, op::scan_max},
                                         std::pair{op::reduce_min, op::reduce_max}, std::pair{op::ceil, op::floor},
                                         std::pair{op::exp, op::exp2}, std::pair{op::less, op::less_equal}),
                         [](const auto& tested) { return std::string(ast::info(tested.param.first).name); });

TEST(Shrinking, KeepsTheKindOfFailure) {
  const failure big{random_case(3), {outcome::kind::different, "it differs"}};
  const int whole = instruction_count(big.tested.source);
  const auto judge = [&](const fuzz_case& tried) {
    const bool is_whole = instruction_count(tried.source) == whole;
    return outcome{is_whole ? outcome::kind::different : outcome::kind::broken, is_whole ? "as before" : "it breaks"};
  };
  const auto end = std::chrono::steady_clock::now() + std::chrono::hours(1);
  const failure small = shrink_alike(big, judge, end);
  EXPECT_EQ(small.found.what, outcome::kind::different) << small.found.reason;
  EXPECT_EQ(instruction_count(small.tested.source), whole);
  const auto breaks = [](const fuzz_case&) { return outcome{outcome::kind::broken, "it breaks"}; };
  const failure smallest = shrink_alike({big.tested, {outcome::kind::broken, ""}}, breaks, end);
  EXPECT_LE(instruction_count(smallest.tested.source), 2) << to_text(smallest.tested);
  EXPECT_EQ(smallest.found.reason, "it breaks");
}

// A branch or a loop inside a while_ is opened, and the while_ keeps its condition.
TEST(Shrinking, LeavesSoundLoops) {
  int loops = 0;
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    const fuzz_case found = random_case(seed);
    if (op_counts(found.source)[static_cast<std::size_t>(op::while_begin)] == 0) continue;
    ++loops;
    const auto fails = [&](const fuzz_case& tried) {
      EXPECT_EQ(first_type_fault(tried.source), "") << to_text(tried.source);
      return op_counts(tried.source)[static_cast<std::size_t>(op::while_begin)] > 0;
    };
    shrink(found, fails, 60);
  }
  EXPECT_GT(loops, 5);
}

// Whatever is taken away, the launch fits the kernel: unique rows, whole axes, tiles of loops.
TEST(Shrinking, LeavesSoundOutputs) {
  for (const op kept : {op::store_tile, op::store_rows, op::combine_at, op::print, op::assertion, op::mma_scaled}) {
    SCOPED_TRACE(ast::info(kept).name);
    const auto holds = [&](const fuzz_case& tried) {
      return op_counts(tried.source)[static_cast<std::size_t>(kept)] > 0;
    };
    const auto fails = [&](const fuzz_case& tried) {
      const outcome found = compare(tried, run_on_host(compiler::target::interp));
      EXPECT_FALSE(is_failure(found.what)) << found.reason << "\n" << to_text(tried);
      return holds(tried) && found.what == outcome::kind::same;
    };
    std::uint32_t seed = 0;
    while (!holds(random_case(seed)) || !fails(random_case(seed))) ++seed;
    const fuzz_case small = shrink(random_case(seed), fails, 300);
    EXPECT_LT(instruction_count(small.source), instruction_count(random_case(seed).source) / 2) << to_text(small);
  }
}

// An assembler may die of what nobody uses.
TEST(Shrinking, KeepsUnusedCodeThatFails) {
  fuzz_case found = random_case(3);
  program& source = found.source;
  const auto number = static_cast<value_id>(source.values.size());
  source.values.insert(source.values.end(), 2, type_of(dtype::f32));
  source.narrow.insert(source.narrow.end(), 2, false);
  const instruction made{
      .op = op::constant, .operands = {}, .results = {number}, .attributes = {0}, .blocks = {}, .location = {}};
  const instruction unused{
      .op = op::tanh, .operands = {number}, .results = {number + 1}, .attributes = {}, .blocks = {}, .location = {}};
  source.entry.body.insert(source.entry.body.begin(), {made, unused});
  const auto fails = [](const fuzz_case& tried) {
    program live = tried.source;
    compiler::remove_dead_code(live);
    constexpr auto wanted = static_cast<std::size_t>(op::tanh);
    return op_counts(tried.source)[wanted] > op_counts(live)[wanted];
  };
  const fuzz_case small = shrink(found, fails);
  EXPECT_TRUE(fails(small));
  EXPECT_LE(instruction_count(small.source), 2) << to_text(small.source);
}

TEST(Shrinking, EndsInTime) {
  const failure big{random_case(3), {outcome::kind::endless, "it does not end"}};
  int asked = 0;
  const auto judge = [&](const fuzz_case&) {
    ++asked;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return outcome{};
  };
  shrink_alike(big, judge, std::chrono::steady_clock::now() + std::chrono::milliseconds(100));
  EXPECT_LE(asked, 5);
}

// ---- What may differ, and what not
fuzz_case one_unary(op which, dtype element) {
  program_builder p(0);
  const value_id x = p.load(p.in(element, 0), type_of(element), {});
  p.store(p.out(element, {}), p.value(which, type_of(element), {x}));
  fuzz_case made;
  made.source = p.result();
  made.launch = random_launch(made.source, 4);
  return made;
}

// Stores a number that is so many units of the last place above the right one.
back_end_run off_by(int units) {
  return [=](const program& source, const tile_launch& launch, compiler::fault_status& faults) {
    run_on_host(compiler::target::interp)(source, launch, faults);
    // SAFETY: the last argument is an f32 tensor of one element, which the test made.
    auto* stored = static_cast<std::uint32_t*>(const_cast<void*>(launch.arguments().back().address));
    *stored += static_cast<std::uint32_t>(units);
  };
}

TEST(Comparison, AllowsAnOpItsBoundAndNoMore) {
  const fuzz_case exact = one_unary(op::absolute, dtype::f32), bounded = one_unary(op::exp2, dtype::f32);
  EXPECT_EQ(compare(exact, off_by(0)).what, outcome::kind::same);
  EXPECT_EQ(compare(exact, off_by(1)).what, outcome::kind::different);
  EXPECT_EQ(compare(bounded, off_by(2)).what, outcome::kind::same);
  EXPECT_EQ(compare(bounded, off_by(9)).what, outcome::kind::different);
}

// The checks and the launch may refuse a kernel, the assembler and the back ends of hosts not.
TEST(Comparison, TellsABackEndThatRefuses) {
  const fuzz_case sound = one_unary(op::absolute, dtype::f32);
  const outcome found = compare(sound, [](const program&, const tile_launch&, compiler::fault_status&) {
    throw compile_error({.what = "not this one", .where = {}, .expected = {}, .got = {}, .fix = {}});
  });
  EXPECT_EQ(found.what, outcome::kind::broken);
  EXPECT_NE(found.reason.find("not this one"), std::string::npos) << found.reason;
}

// Takes the empty kernel, by which a broken assembler is told from one that refuses, and no other.
class RefusingAssembler : public testing::Test {
 protected:
  RefusingAssembler() {
    const std::filesystem::path tool = folder_.path() / "tileiras";
    std::ofstream(tool) << "#!/bin/sh\ngrep -q hand_built \"$1\" && echo no such kernel && exit 3\nexit 0\n";
    std::filesystem::permissions(tool, std::filesystem::perms::owner_all);
    setenv("TILEWRIGHT_TILEIR_TOOLS", folder_.path().c_str(), 1);
  }
  ~RefusingAssembler() override { unsetenv("TILEWRIGHT_TILEIR_TOOLS"); }

 private:
  const temporary_folder folder_;
};

TEST_F(RefusingAssembler, IsAFailure) {
  const outcome found = make_image(one_unary(op::absolute, dtype::f32), compiler::target::sm_90);
  EXPECT_EQ(found.what, outcome::kind::broken);
  EXPECT_NE(found.reason.find("the Tile IR assembler refuses the kernel"), std::string::npos) << found.reason;
  EXPECT_NE(found.reason.find("no such kernel"), std::string::npos) << found.reason;
}

TEST_F(RefusingAssembler, IsNotAskedWhereTheEmitterRefuses) {
  program_builder p(2);  // a block for each tile of the output
  const value_id x = p.load(p.in(dtype::i32, 1), type_of(dtype::i32, {6}), {p.index(0)});
  p.store(p.out(dtype::i32, {2, 3}), p.value(op::reshape, type_of(dtype::i32, {2, 3}), {x}));
  fuzz_case made;
  made.source = p.result();
  made.launch = random_launch(made.source, 4);
  const outcome found = make_image(made, compiler::target::sm_90);
  EXPECT_EQ(found.what, outcome::kind::refused);
  EXPECT_NE(found.reason.find("reshape would split or merge an axis"), std::string::npos) << found.reason;
}

TEST(Comparison, SeesChecksThatAreNotTold) {
  program_builder p(1);
  const int x = p.in(dtype::i32, 1), far = p.in(dtype::i64, 0);
  const value_id place = p.value(op::cast, type_of(dtype::index), {p.load(far, type_of(dtype::i64))});
  p.store(p.out(dtype::i32, {4}), p.load(x, type_of(dtype::i32, {4}), {place}));
  fuzz_case made;
  made.source = p.result();
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    made.launch = random_launch(made.source, seed);
    const outcome honest = compare(made, run_on_host(compiler::target::interp));
    const outcome silent = compare(made, [](const program& source, const tile_launch& launch, compiler::fault_status&) {
      compiler::fault_status unseen;
      run_on_host(compiler::target::interp)(source, launch, unseen);
    });
    EXPECT_FALSE(is_failure(honest.what)) << honest.reason;
    if (silent.what == outcome::kind::different) return;  // as it has to be where the check fails
  }
  ADD_FAILURE() << "no launch in which the check fails";
}

TEST(Comparison, SeesLinesThatAreNotPrinted) {
  fuzz_case printing = one_unary(op::absolute, dtype::f32);
  printing.source.entry.body.push_back(
      {.op = op::print, .operands = {0}, .results = {}, .attributes = {1}, .blocks = {}, .location = {}});
  EXPECT_EQ(compare(printing, run_on_host(compiler::target::interp)).what, outcome::kind::same);
  const outcome silent =
      compare(printing, [](const program& source, const tile_launch& launch, compiler::fault_status& faults) {
        fuzz_case quiet;
        quiet.source = source;
        run_on_host(compiler::target::interp)(without_prints(quiet).source, launch, faults);
      });
  EXPECT_EQ(silent.what, outcome::kind::different);
  EXPECT_NE(silent.reason.find("expected block (): "), std::string::npos) << silent.reason;
}

TEST(Comparison, RefusesProgramsWithSeveralRightResults) {
  program_builder p(0);
  const value_id x = p.load(p.in(dtype::f32, 1), type_of(dtype::f32, {8}), {p.index(0)});
  p.store(p.out(dtype::f32, {}),
          p.value(op::reshape, type_of(dtype::f32), {p.value(op::reduce_sum, type_of(dtype::f32, {1}), {x}, {0})}));
  EXPECT_FALSE(comparison_of(p.result()).has_value());
}

}  // namespace
}  // namespace tilewright::test
