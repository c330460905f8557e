// SPDX-License-Identifier: Apache-2.0
// Random programs over tiles give the interpreter's bits on every back end, with and without facts and simplify, and
// touch nothing but their tensors and their scratch memory. TILEWRIGHT_TILE_PROGRAMS=first,last tries other seeds.
#include "support/random_tile_program.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "numeric/back_end_test.hpp"
#include "support/tile_launch.hpp"

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

// False where the back end refuses the program.
bool compare_with_interpreter(std::uint32_t seed, const back_end& where) {
  const bool is_on_gpu = compiler::is_gpu(where.where);
  random_tile_program generated(seed, is_on_gpu);
  compiler::program source = generated.program();
  const lies side = seed % 2 == 0 ? lies::before_guard : lies::after_guard;
  const auto strides = is_on_gpu ? tile_launch::strides::positive : tile_launch::strides::any;
  const tile_launch reference(source, seed, side, strides);
  reference.run(*compiler::emit(source, compiler::target::interp), source, seed);
  const auto expected = reference.memory();

  const tile_launch launch(source, seed, side, strides);
  if (seed % 3 != 0) {
    const auto facts = launch.facts(source);
    for (std::size_t p = 0; p < facts.size(); ++p) source.parameters[p].facts = facts[p];
  }
  if (seed % 5 >= 2) compiler::simplify(source);
  bool has_run = true;
  if (is_on_gpu) {
    has_run = run(source, where, launch.arguments(), launch.grid());
  } else {
    launch.run(*compiler::emit(source, where.where), source, seed + 1);
  }
  launch.expect_memory(source, expected);
  return has_run;
}

TEST_P(RandomTileProgram, GivesTheInterpretersBits) {
  const seed_range range = seeds();
  unsigned compared = 0;
  for (unsigned seed = range.first; seed < range.last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (std::getenv("TILEWRIGHT_TILE_PROGRAMS") != nullptr) std::fprintf(stderr, "seed %u\n", seed);
    if (compare_with_interpreter(seed, GetParam())) ++compared;
    if (HasFatalFailure()) return;
  }
  if (baked_target()) return;
  if (compared == 0 && compiler::is_gpu(GetParam().where)) GTEST_SKIP() << "a GPU refuses all of these programs";
  EXPECT_GE(compared, (range.last - range.first) / 10) << "too few programs that are not refused";
}

TILEWRIGHT_ON_EVERY_BACK_END(RandomTileProgram);

}  // namespace
}  // namespace tilewright::test
