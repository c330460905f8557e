// SPDX-License-Identifier: Apache-2.0
// What a program writes.
#pragma once

#include "support/fuzz/program_combinations.hpp"

namespace tilewright::test {

class program_outputs : protected program_combinations {
 protected:
  using program_combinations::program_combinations;
  void store(int p);
  // Numbers that back ends may round in their own way get an output that nothing else is mixed into.
  void store_inexact();
  // Blocks of a row share a piece. No sums of floats, as the order of blocks changes what they give.
  void combine();
};

}  // namespace tilewright::test
