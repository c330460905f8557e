// SPDX-License-Identifier: Apache-2.0
// Runs numbered jobs in child processes, so that a kernel that crashes or never ends is one result among others.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>

namespace tilewright::test {

struct job_result {
  std::uint64_t job = 0;
  bool has_ended = false;  // with a text of its own; else `text` says how: it threw, died, or took too long
  std::string text;
  bool is_late = false;  // it took too long
};

struct job_options {
  int processes = 1;
  std::chrono::seconds job_limit{120};  // then its process is killed
};

// next(job) names the next job or gives false; work(job) runs in a child, done(result) here, in any order. What work
// throws is told as text where it is a std::exception, else as a child that was aborted; another child goes on.
void run_jobs(const job_options& options, const std::function<bool(std::uint64_t& job)>& next,
              const std::function<std::string(std::uint64_t job)>& work,
              const std::function<void(const job_result& result)>& done);

// Runs one job in a child of its own.
job_result run_job(const std::function<std::string()>& work, std::chrono::seconds limit);

}  // namespace tilewright::test
