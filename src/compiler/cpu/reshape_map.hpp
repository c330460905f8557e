// SPDX-License-Identifier: Apache-2.0
// Which element of its operand an element of a reshape is. The axes of both shapes fall into the smallest groups of
// equal size; within a group one axis merges several, is split into several, or stays.
#pragma once

#include <vector>

#include "compiler/cpu/kernel_state.hpp"

namespace tilewright::compiler {

class reshape_map {
 public:
  reshape_map(const value_type& from, const value_type& to);

  // Whether `lanes` neighbours of the result are neighbours in the operand, wherever a vector starts that lies at a
  // multiple of `lanes`.
  bool keeps_vectors(int lanes) const;

  // The place in the operand; false in `is_vector` when the lanes have no common step there.
  struct source_place {
    position place;
    bool is_vector = true;
  };
  source_place source_of(ir::module_builder& code, const position& place) const;

 private:
  struct group {
    std::vector<int> from, to;  // axes, outermost first, none of extent 1
  };
  coordinate joined(ir::module_builder& code, const group& g, const position& place) const;

  value_type from_, to_;
  std::vector<group> groups_;
};

}  // namespace tilewright::compiler
