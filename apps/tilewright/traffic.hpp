// SPDX-License-Identifier: Apache-2.0
// What a launch moves and computes, counted in its program.
#pragma once

#include <cstddef>
#include <vector>

#include "tilewright/compiler/program.hpp"

// Of one launch. Loads and stores count the elements inside their tensors each time that a block names them, wherever
// they come from: caches serve many of them. Combining counts as a load and a store.
struct traffic_estimate {
  std::vector<double> loaded_bytes, stored_bytes;  // by parameter
  std::vector<double> tensor_bytes;                // by parameter: what each holds
  double mma_operations = 0;                       // a product and a sum are two
  double element_operations = 0;                   // of tiles: arithmetic, comparisons, conversions, reductions, scans
  int loops_that_depend_on_data = 0;               // each counts one round
  int branches_that_depend_on_data = 0;            // each counts its first side
};

// Walks over the blocks of the grid, or over a sample of them where there are many. The program must come of these
// arguments.
traffic_estimate estimate_traffic(const tilewright::compiler::program& source,
                                  const std::vector<tilewright::compiler::argument>& arguments,
                                  const std::vector<tilewright::index_t>& grid);
