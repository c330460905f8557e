// SPDX-License-Identifier: Apache-2.0
// Random programs over tiles give the interpreter's bits on every back end, with and without facts and simplify, and
// touch nothing but their tensors and their scratch memory. TILEWRIGHT_TILE_PROGRAMS=first,last tries other seeds, and
// `tilewright fuzz` many.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "numeric/back_end_test.hpp"
#include "support/fuzz/comparison.hpp"
#include "support/fuzz/shrink.hpp"

namespace tilewright::test {
namespace {

class RandomTileProgram : public BackEndTest {};

struct seed_range {
  unsigned first = 0, last = 60;
};
seed_range seeds() {
  seed_range range;
  if (const char* wanted = std::getenv("TILEWRIGHT_TILE_PROGRAMS")) {
    if (std::sscanf(wanted, "%u,%u", &range.first, &range.last) != 2) range = {0, 0};
  }
  return range;
}

// Where this machine can compile for the back end: what fails is made small, and the other seeds run too.
bool shrinks_failures() { return std::getenv("TILEWRIGHT_SHRINK") != nullptr; }

// By `run`, of memory that a kernel must not touch.
int told_failures() { return testing::UnitTest::GetInstance()->current_test_info()->result()->total_part_count(); }

// False where a GPU refuses the program.
bool compare_with_interpreter(std::uint32_t seed, const back_end& where) {
  const bool is_on_gpu = compiler::is_gpu(where.where);
  const fuzz_case tested = is_on_gpu ? without_prints(random_case(seed, extents::powers_of_two, strides::positive))
                                     : random_case(seed, extents::any, strides::any);
  bool has_run = true;
  const auto on_gpu = [&](const compiler::program& source, const tile_launch& launch, compiler::fault_status& faults) {
    has_run = run(source, where, launch.arguments(), launch.grid(), &faults);
  };
  const back_end_run run_there = is_on_gpu ? back_end_run(on_gpu) : run_on_host(where.where);
  const auto fails = [&](const fuzz_case& each) {
    const int before = told_failures();
    const outcome found = compare(each, run_there, is_on_gpu ? after_fault::anything : after_fault::as_interpreted);
    return is_failure(found.what) ? found.reason : told_failures() > before ? "memory changed" : std::string();
  };
  const std::string reason = fails(tested);
  if (reason.empty()) return has_run;
  const bool is_over = reason.find("context is lost") != std::string::npos;
  const fuzz_case& shown = shrinks_failures() && !is_over
                               ? shrink(
                                     tested, [&](const fuzz_case& smaller) { return !fails(smaller).empty(); }, 400)
                               : tested;
  ADD_FAILURE() << reason << "\n" << to_text(shown);
  return has_run;
}

TEST_P(RandomTileProgram, GivesTheInterpretersBits) {
  const seed_range range = seeds();
  unsigned compared = 0;
  for (unsigned seed = range.first; seed < range.last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (std::getenv("TILEWRIGHT_TILE_PROGRAMS") != nullptr) std::fprintf(stderr, "seed %u\n", seed);
    if (compare_with_interpreter(seed, GetParam())) ++compared;
    if (HasFailure() && !shrinks_failures()) return;
  }
  if (baked_target()) return;
  if (compared == 0 && compiler::is_gpu(GetParam().where)) GTEST_SKIP() << "a GPU refuses all of these programs";
  EXPECT_GE(compared, (range.last - range.first) / 10) << "too few programs that are not refused";
}

TILEWRIGHT_ON_EVERY_BACK_END(RandomTileProgram);

}  // namespace
}  // namespace tilewright::test
