// SPDX-License-Identifier: Apache-2.0
// The parameters of a program that is being made, and what is read of them.
#pragma once

#include "support/fuzz/program_values.hpp"

namespace tilewright::test {

class program_memory : protected program_values {
 protected:
  using program_values::program_values;

  // ---- Parameters
  void declare_parameters();
  const compiler::program_parameter& parameter(int p);
  value_type piece_type(int p);
  // One of the first list, or of the second where extents are powers of two.
  std::int32_t extent_of(const std::vector<std::int32_t>& any, const std::vector<std::int32_t>& powers_of_two);

  // ---- Positions
  typed block_id();
  typed position();
  typed some_index();
  // Within the tiles of an axis; now and then the kernel has to see whether it is.
  typed tile_index(int p, int axis, std::int32_t extent);
  typed clamped(const typed& chosen, const typed& extent);
  typed extent_of_table();

  // ---- Reading
  typed load(int p);
  // Of each axis now and then a tile that begins where a partition has one, too.
  typed load_window(int p);
  typed gather();
  // Elements of an input, for indices of one shape; now and then the kernel has to see whether they are inside.
  typed gathered_elements();
  // An index per axis of a tensor for each lane, and behind them a mask or none.
  std::vector<typed> chosen_elements(int p, const value_type& lanes, bool is_masked);
  typed piece(int p, const value_type& type);

  std::vector<int> inputs_, outputs_;
  int table_ = -1;  // a matrix whose rows are gathered
};

}  // namespace tilewright::test
