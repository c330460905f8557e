// SPDX-License-Identifier: Apache-2.0
// `tilewright bake`: images of the kernel library, for GPUs that need not be here.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

struct BakeArguments {
  std::vector<std::string> kernels, elements, shapes, targets;
  std::string schedule, pack, source, symbol = "tilewright_images", sanitize;
  int jobs = 0;
  double limit_seconds = 0;
  bool lists = false;
};

// Declares the command; `arguments` must live as long as `program`.
CLI::App* add_bake_command(CLI::App& program, BakeArguments& arguments);

// Throws what tilewright::bake() throws.
void run_bake(const BakeArguments& arguments);
