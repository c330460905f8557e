// SPDX-License-Identifier: Apache-2.0
// Rows for people (a table) and for programs (JSON).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/row.hpp"

namespace tilewright::bench {

// Where rows were taken; repeated in each JSON row, so that rows of several machines can be put together.
struct machine {
  std::string processor;
  int threads = 0;
};
machine this_machine();

// An array of objects, one per row; absent numbers are null.
std::string json_of(const std::vector<row>& rows, const machine& where);

// Throws io_error when the file cannot be written.
void write_json(const std::filesystem::path& file, const std::vector<row>& rows, const machine& where);

// The table's head, and one line of it: printed as soon as the row is there, because a suite takes minutes.
std::string table_head();
std::string table_line(const row& result);

// "bars: 3 met, 1 missed, 1 not shown"
std::string summary_of(const std::vector<row>& rows);

}  // namespace tilewright::bench
