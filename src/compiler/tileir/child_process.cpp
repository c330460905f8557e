// SPDX-License-Identifier: Apache-2.0
#include "compiler/tileir/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "tilewright/base/error.hpp"

namespace tilewright::compiler::tileir {
namespace {

using time_point = std::chrono::steady_clock::time_point;

[[noreturn]] void cannot_start(const std::string& program, int code) {
  throw runtime_error({.what = "a program cannot be started",
                       .where = program,
                       .expected = {},
                       .got = std::strerror(code),
                       .fix = "check that the file is there and may be run"});
}

class pipe_ends {
 public:
  explicit pipe_ends(const std::string& program) {
    if (pipe2(ends_, O_CLOEXEC) != 0) cannot_start(program, errno);
  }
  ~pipe_ends() {
    close(ends_[0]);
    close_writing();
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
};

// Attributes and file actions of a spawn: both streams into the pipe, a process group of its own.
class spawn_options {
 public:
  explicit spawn_options(int output) {
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, 1);
    posix_spawn_file_actions_adddup2(&actions, output, 2);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
  }
  ~spawn_options() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  spawn_options(const spawn_options&) = delete;
  spawn_options& operator=(const spawn_options&) = delete;

  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
};

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

pid_t start(std::vector<std::string> arguments, std::vector<std::string> environment, int output) {
  const spawn_options options(output);
  const std::vector<char*> argument_list = pointers_to(arguments), environment_list = pointers_to(environment);
  pid_t child = 0;
  const int code = posix_spawn(&child, arguments[0].c_str(), &options.actions, &options.attributes,
                               argument_list.data(), environment_list.data());
  if (code != 0) cannot_start(arguments[0], code);
  return child;
}

// Whether the output ended before the time did.
bool read_until(int file, time_point end, std::string& output) {
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
    if (left.count() <= 0) return false;
    pollfd waited{file, POLLIN, 0};
    const int ready = poll(&waited, 1, static_cast<int>(std::min<long long>(left.count(), 1000)));
    if (ready <= 0) continue;
    char buffer[4096];
    const ssize_t size = read(file, buffer, sizeof buffer);
    if (size == 0) return true;
    if (size > 0) output.append(buffer, static_cast<std::size_t>(size));
  }
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

process_result run_process(const std::vector<std::string>& arguments, const std::vector<std::string>& environment,
                           std::chrono::milliseconds limit) {
  pipe_ends pipe(arguments[0]);
  const time_point end = std::chrono::steady_clock::now() + limit;
  const pid_t child = start(arguments, environment, pipe.writing());
  pipe.close_writing();
  process_result result;
  result.is_timed_out = !read_until(pipe.reading(), end, result.output);
  if (result.is_timed_out) kill(-child, SIGKILL);
  const int status = wait_for(child);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace tilewright::compiler::tileir
