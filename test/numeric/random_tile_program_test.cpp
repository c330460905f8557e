// SPDX-License-Identifier: Apache-2.0
// Random programs over tiles give the interpreter's bits on the cpu back end, with and without facts and simplify,
// and touch nothing but their tensors and their scratch memory. TILEWRIGHT_TILE_PROGRAMS=first,last tries other seeds.
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

void compare_with_interpreter(std::uint32_t seed, compiler::target where) {
  random_tile_program generated(seed);
  compiler::program source = generated.program();
  const lies side = seed % 2 == 0 ? lies::before_guard : lies::after_guard;
  const tile_launch reference(source, seed, side);
  reference.run(*compiler::emit(source, compiler::target::interp), source, seed);
  const auto expected = reference.memory();

  const tile_launch launch(source, seed, side);
  if (seed % 3 != 0) {
    const auto facts = launch.facts(source);
    for (std::size_t p = 0; p < facts.size(); ++p) source.parameters[p].facts = facts[p];
  }
  if (seed % 5 >= 2) compiler::simplify(source);
  launch.run(*compiler::emit(source, where), source, seed + 1);
  launch.expect_memory(source, expected);
}

TEST_P(RandomTileProgram, GivesTheInterpretersBits) {
  const seed_range range = seeds();
  for (unsigned seed = range.first; seed < range.last; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (std::getenv("TILEWRIGHT_TILE_PROGRAMS") != nullptr) std::fprintf(stderr, "seed %u\n", seed);
    compare_with_interpreter(seed, GetParam().where);
    if (HasFatalFailure()) return;
  }
}

TILEWRIGHT_ON_EVERY_BACK_END(RandomTileProgram);

}  // namespace
}  // namespace tilewright::test
