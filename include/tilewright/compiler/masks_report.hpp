// SPDX-License-Identifier: Apache-2.0
// Which loads and stores of a program leave out lanes, as these may lie outside their tensor: where, on which devices,
// why, and what takes the mask away.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// A mask of one load, store, gather or combine on one axis.
struct mask_entry {
  static constexpr int all_lanes = -1;

  int site = 0;  // which of the program's accesses to tensors, counted as the kernel comes to them
  source_location location;
  ast::op access = ast::op::load;
  int parameter = 0;
  int axis = 0;  // of the tile; all_lanes where lanes are told apart one by one
  bool on_host = false, on_gpu = false;
  bool is_padded = false;  // lanes left out hold the pad
  std::string reason;      // "extent(1, 0) is not known to be a multiple of 64"
  std::string fix;         // what takes it away; empty where nothing does
};
// "all", "host", "GPU": where the mask is placed.
TILEWRIGHT_API const char* devices_of(const mask_entry& entry);

// In the order in which the kernel comes to them, by axis.
struct masks_report {
  std::vector<mask_entry> entries;

  int on_host() const {
    int found = 0;
    for (const mask_entry& entry : entries) found += entry.on_host ? 1 : 0;
    return found;
  }
  int on_gpu() const {
    int found = 0;
    for (const mask_entry& entry : entries) found += entry.on_gpu ? 1 : 0;
    return found;
  }
};

// Of a program that was checked; simplify() first, for what nobody uses is not loaded.
TILEWRIGHT_API masks_report masks_of(const program& source);

}  // namespace tilewright::compiler
