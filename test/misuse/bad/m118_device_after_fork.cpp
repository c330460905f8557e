// layer: run time only: whether a process is a forked child is known by the system alone
// SPDX-License-Identifier: Apache-2.0
// expect: does not survive a fork
// topic: devices
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "misuse.hpp"

void misuse(Device d) {
  (void)increment(zeros(d).partition({16})).sync();
  const pid_t child = fork();
  if (child == 0) {
    try {
      (void)increment(zeros(d).partition({16})).sync();
    } catch (const usage_error& e) {
      std::printf("throws: usage_error: %s\n", e.what());
      std::fflush(stdout);
    }
    _exit(0);
  }
  waitpid(child, nullptr, 0);
}
