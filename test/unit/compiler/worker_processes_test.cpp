// SPDX-License-Identifier: Apache-2.0
// Jobs of `tilewright fuzz` in child processes: whatever a job does is one result, and the other jobs go on.
#include "support/fuzz/worker_processes.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <stdexcept>
#include <utility>

namespace tilewright::test {
namespace {

using results = std::map<std::uint64_t, job_result>;

// Jobs 0 to count - 1 in one child after the other; `after` sees each result as it comes.
results run_all(
    std::uint64_t count, const std::function<std::string(std::uint64_t)>& work,
    const std::function<void(const job_result&)>& after = [](const job_result&) {}) {
  results all;
  std::uint64_t given = 0;
  const auto next = [&](std::uint64_t& job) { return (job = given) < count && given++ < count; };
  const auto done = [&](const job_result& result) {
    all[result.job] = result;
    after(result);
  };
  run_jobs({.processes = 1, .job_limit = std::chrono::seconds(120)}, next, work, done);
  EXPECT_EQ(all.size(), count);
  return all;
}

TEST(WorkerProcesses, TellWhatAJobThrowsAndGoOn) {
  results all = run_all(3, [](std::uint64_t job) {
    if (job == 1) throw std::runtime_error("an odd job");
    return std::to_string(getpid());
  });
  EXPECT_TRUE(all[0].has_ended);
  EXPECT_FALSE(all[1].has_ended);
  EXPECT_EQ(all[1].text, "it throws: an odd job");
  EXPECT_FALSE(all[1].is_late);
  EXPECT_TRUE(all[2].has_ended);
  EXPECT_NE(all[2].text, all[0].text) << "the child that threw, which may have lost a device";
}

TEST(WorkerProcesses, AbortWhereAJobThrowsSomethingElse) {
  results all = run_all(2, [](std::uint64_t job) {
    if (job == 0) throw job;
    return std::string("done");
  });
  EXPECT_FALSE(all[0].has_ended);
  EXPECT_EQ(all[0].text, std::string("it dies: ") + strsignal(SIGABRT));
  EXPECT_EQ(all[1].text, "done");
}

TEST(WorkerProcesses, TellThatAJobKillsItsChild) {
  results all = run_all(2, [](std::uint64_t job) {
    if (job == 0) kill(getpid(), SIGKILL);
    return std::string("done");
  });
  EXPECT_FALSE(all[0].has_ended);
  EXPECT_EQ(all[0].text, std::string("it dies: ") + strsignal(SIGKILL));
  EXPECT_EQ(all[1].text, "done");
}

TEST(WorkerProcesses, StartAgainWhereAnIdleChildWasKilled) {
  const auto kill_idle = [](const job_result& result) {
    if (result.job != 0) return;
    const pid_t child = std::stoi(result.text);
    kill(child, SIGKILL);
    siginfo_t ended;
    EXPECT_EQ(waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  };
  void (*const before)(int) = signal(SIGPIPE, SIG_DFL);
  results all = run_all(
      3, [](std::uint64_t) { return std::to_string(getpid()); }, kill_idle);
  EXPECT_EQ(signal(SIGPIPE, before), SIG_DFL) << "it stays ignored";
  EXPECT_TRUE(all[1].has_ended) << all[1].text;
  EXPECT_NE(all[1].text, all[0].text);
  EXPECT_EQ(all[2].text, all[1].text);
}

TEST(WorkerProcesses, EndAJobThatDoesNotEnd) {
  job_result found;
  bool is_given = false;
  run_jobs(
      {.processes = 1, .job_limit = std::chrono::seconds(1)},
      [&](std::uint64_t&) { return !std::exchange(is_given, true); },
      [](std::uint64_t) -> std::string {
        for (;;) pause();
      },
      [&](const job_result& result) { found = result; });
  EXPECT_TRUE(found.is_late);
  EXPECT_FALSE(found.has_ended);
}

}  // namespace
}  // namespace tilewright::test
