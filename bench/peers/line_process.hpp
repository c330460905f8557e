// SPDX-License-Identifier: Apache-2.0
// A child process that answers each line it is sent with one line: how peers of other languages are timed in turn
// with ours.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::bench {

class LineProcess {
 public:
  // Throws runtime_error when the program cannot be started.
  explicit LineProcess(const std::vector<std::string>& command);
  ~LineProcess();  // closes its input and waits for its end
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  // The next line it prints, or nothing when it has ended.
  std::optional<std::string> read_line();
  std::optional<std::string> ask(const std::string& line);

 private:
  pid_t process_ = -1;
  std::FILE* input_ = nullptr;   // what it reads
  std::FILE* output_ = nullptr;  // what it prints
};

}  // namespace tilewright::bench
