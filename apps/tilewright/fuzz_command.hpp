// SPDX-License-Identifier: Apache-2.0
// `tilewright fuzz`: random kernels on a back end, compared with the interpreter.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

struct FuzzArguments {
  std::uint32_t seed = 0;
  std::uint64_t count = 1000;
  std::string device = "cpu", seeds_file;
  double seconds = 0, shrink_seconds = 60;
  int jobs = 0;
  bool lists_ops = false, is_quiet = false;
};

CLI::App* add_fuzz_command(CLI::App& program, FuzzArguments& arguments);

// Whether no kernel failed. Throws usage_error for a call that makes no sense.
bool run_fuzz(const FuzzArguments& arguments);
