// SPDX-License-Identifier: Apache-2.0
// One child process with an environment of its own and a time limit.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace tilewright::compiler::tileir {

struct process_result {
  int exit_code = -1;  // -1: ended by a signal, or not started
  int signal = 0;
  bool is_timed_out = false;
  std::string output;  // stdout and stderr, in the order they came
};

// arguments[0] is the program's path. `environment` holds NAME=value; the child sees nothing else of ours but that.
// A child past its limit is ended, with all that it started. Throws runtime_error when it cannot be started.
process_result run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                           std::chrono::milliseconds limit);

}  // namespace tilewright::compiler::tileir
