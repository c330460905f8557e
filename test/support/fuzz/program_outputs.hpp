// SPDX-License-Identifier: Apache-2.0
// What a random program does that is seen from outside: pieces of every kind of output, printed lines, assertions.
#pragma once

#include "support/fuzz/program_combinations.hpp"

namespace tilewright::test {

class program_outputs : protected program_combinations {
 protected:
  using program_combinations::program_combinations;

  void store(int p);
  // Numbers that back ends may round in their own way get an output that nothing else is mixed into.
  void store_inexact();
  // Blocks share a piece. No sums of floats, as the order of blocks changes what they give.
  void combine();
  void combine_elements();
  // Rows that unique indices place.
  void scatter();
  // A piece that has whole axes, tile by tile.
  void store_tiles();

  // ---- In loops and branches too
  void print();
  void assertion();  // that holds, but for a few

 private:
  int some_accum(const std::vector<std::int32_t>& piece);
  void store_tiles(int p, const value_type& tile, ids& indices);
};

}  // namespace tilewright::test
