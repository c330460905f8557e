// SPDX-License-Identifier: Apache-2.0
// `grout generate`: continues a text on standard output.
#pragma once

#include <string>

#include "device_option.hpp"
#include "tilewright/base/dtype.hpp"

namespace CLI {
class App;
}

struct GenerateArguments {
  std::string model_path;
  std::string prompt;
  tilewright::index_t count = 128;
  DeviceChoice device;
  bool stop_at_end = false;
  bool json = false;
};

// Declares the command; `arguments` must live as long as `program`.
CLI::App* add_generate_command(CLI::App& program, GenerateArguments& arguments);

// Throws what the engine throws.
void run_generate(const GenerateArguments& arguments);
