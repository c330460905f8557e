// SPDX-License-Identifier: Apache-2.0
// Random kernels: programs over tiles of many shapes and elements, of every op that a program may hold, in loops that
// carry tiles and in branches. The same seed gives the same program everywhere. `tilewright fuzz` and the tests of the
// back ends make theirs here.
#pragma once

#include <cstdint>

#include "tilewright/compiler/program.hpp"

namespace tilewright::test {

// What may not be split, merged, joined or cut on a GPU is an axis that is no power of two.
enum class extents { any, powers_of_two };

// Its types are sound, correct back ends agree on its results (comparison_of), and the bounds checker accepts nearly
// all of them: tile indices are clamped and divisors kept from zero, but for a few that the kernel has to check.
compiler::program random_program(std::uint32_t seed, extents kind = extents::any);

// Why no program holds an op; null for the others.
const char* why_never_generated(ast::op which);

}  // namespace tilewright::test
