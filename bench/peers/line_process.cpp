// SPDX-License-Identifier: Apache-2.0
#include "peers/line_process.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "tilewright/base/error.hpp"

namespace tilewright::bench {
namespace {

[[noreturn]] void fail(const std::string& program) {
  throw runtime_error({.what = "a peer cannot be started",
                       .where = program,
                       .expected = "a program that can be run",
                       .got = "",
                       .fix = "./dev setup --peers installs the peers"});
}

}  // namespace

LineProcess::LineProcess(const std::vector<std::string>& command) {
  std::signal(SIGPIPE, SIG_IGN);  // a peer that died is a missing answer, not our end
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) fail(command[0]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
  std::vector<std::string> words = command;
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const int failed = posix_spawn(&process_, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(to[0]);
  close(from[1]);
  input_ = fdopen(to[1], "w");
  output_ = fdopen(from[0], "r");
  if (failed != 0) fail(command[0]);
}

LineProcess::~LineProcess() {
  std::fclose(input_);
  std::fclose(output_);
  if (process_ > 0) waitpid(process_, nullptr, 0);
}

std::optional<std::string> LineProcess::read_line() {
  std::string line;
  for (int character = std::fgetc(output_); character != EOF; character = std::fgetc(output_)) {
    if (character == '\n') return line;
    line += static_cast<char>(character);
  }
  return std::nullopt;
}

std::optional<std::string> LineProcess::ask(const std::string& line) {
  std::fputs((line + '\n').c_str(), input_);
  std::fflush(input_);
  return read_line();
}

}  // namespace tilewright::bench
