// SPDX-License-Identifier: Apache-2.0
// `tilewright explain`: what the compiler makes of a kernel of the library for one launch.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

struct ExplainArguments {
  std::string kernel, element, shape, schedule, target = "interp";
  std::vector<std::string> sections;
  bool has_details = false;
};

// Declares the command; `arguments` must live as long as `program`.
CLI::App* add_explain_command(CLI::App& program, ExplainArguments& arguments);

// Prints to stdout, code of back ends to stderr. Throws what binding, checking and compiling the kernel throw.
void run_explain(const ExplainArguments& arguments);
