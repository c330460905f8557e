// SPDX-License-Identifier: Apache-2.0
#include "support/fuzz/worker_processes.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "tilewright/base/error.hpp"

namespace tilewright::test {
namespace {

using clock = std::chrono::steady_clock;

bool write_all(int file, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t written = write(file, at, size);
    if (written <= 0) return false;
    at += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}
bool read_all(int file, void* bytes, std::size_t size) {
  auto* at = static_cast<char*>(bytes);
  while (size > 0) {
    const ssize_t got = read(file, at, size);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

// A write to a child that was killed fails, and must not end this process.
class ignored_pipe_signal {
 public:
  ignored_pipe_signal() : before_(signal(SIGPIPE, SIG_IGN)) {}
  ~ignored_pipe_signal() { signal(SIGPIPE, before_); }
  ignored_pipe_signal(const ignored_pipe_signal&) = delete;
  ignored_pipe_signal& operator=(const ignored_pipe_signal&) = delete;

 private:
  void (*before_)(int);
};

// What a child writes before the text of an answer.
struct answer_head {
  std::uint64_t size = 0, has_ended = 0;
};

// A child that answers job numbers with texts until its pipe closes.
class worker {
 public:
  explicit worker(const std::function<std::string(std::uint64_t)>& work) : work_(work) {}
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker() { stop(); }

  void give(std::uint64_t job, clock::time_point limit) {
    job_ = job;
    limit_ = limit;
    is_busy_ = hand_over();
    if (!is_busy_) {  // the child was killed while it was idle
      stop();
      is_busy_ = hand_over();
    }
    require_internal(is_busy_, "a child of the fuzzer takes no job");
  }
  bool is_busy() const { return is_busy_; }
  int answers() const { return from_child_; }
  clock::time_point limit() const { return limit_; }

  job_result take() {
    is_busy_ = false;
    answer_head head;
    std::string text;
    if (read_all(from_child_, &head, sizeof head)) {
      text.resize(head.size);
      if (read_all(from_child_, text.data(), head.size)) {
        if (head.has_ended == 0) stop();
        return {job_, head.has_ended != 0, std::move(text), false};
      }
    }
    return {job_, false, stop(), false};
  }
  job_result kill_job() {
    is_busy_ = false;
    kill(child_, SIGKILL);
    stop();
    return {job_, false, "it does not end", true};
  }

 private:
  bool hand_over() {
    if (child_ < 0) start();
    return write_all(to_child_, &job_, sizeof job_);
  }
  void start() {
    int jobs[2] = {-1, -1}, texts[2] = {-1, -1};
    require_internal(pipe2(jobs, O_CLOEXEC) == 0 && pipe2(texts, O_CLOEXEC) == 0, "no pipe for a child of the fuzzer");
    const pid_t made = fork();
    require_internal(made >= 0, "no child for the fuzzer");
    if (made == 0) {
      signal(SIGPIPE, SIG_DFL);
      close(jobs[1]);
      close(texts[0]);
      serve(jobs[0], texts[1]);
    }
    child_ = made;
    close(jobs[0]);
    close(texts[1]);
    to_child_ = jobs[1];
    from_child_ = texts[0];
  }
  // No exception may reach what the parent has on its stack: of another kind than result_of() catches, it aborts.
  [[noreturn]] void serve(int jobs, int texts) const noexcept {
    std::uint64_t job = 0;
    while (read_all(jobs, &job, sizeof job)) {
      const job_result made = result_of(job);
      const answer_head head{made.text.size(), made.has_ended ? 1U : 0U};
      if (!write_all(texts, &head, sizeof head) || !write_all(texts, made.text.data(), made.text.size())) break;
    }
    _exit(0);
  }
  job_result result_of(std::uint64_t job) const {
    try {
      return {job, true, work_(job), false};
    } catch (const std::exception& thrown) {
      return {job, false, std::string("it throws: ") + thrown.what(), false};
    }
  }
  // How the child ended.
  std::string stop() {
    if (child_ < 0) return {};
    close(to_child_);
    close(from_child_);
    kill(child_, SIGKILL);  // idle, or gone already: later children hold its pipe open, so it would wait for ever
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    if (WIFSIGNALED(status)) return std::string("it dies: ") + strsignal(WTERMSIG(status));
    return "its process ends with " + std::to_string(WEXITSTATUS(status));
  }

  const std::function<std::string(std::uint64_t)>& work_;
  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
  std::uint64_t job_ = 0;
  clock::time_point limit_;
  bool is_busy_ = false;
};

}  // namespace

void run_jobs(const job_options& options, const std::function<bool(std::uint64_t& job)>& next,
              const std::function<std::string(std::uint64_t job)>& work,
              const std::function<void(const job_result& result)>& done) {
  const ignored_pipe_signal while_children_run;
  std::vector<std::unique_ptr<worker>> workers;
  for (int n = 0; n < options.processes; ++n) workers.push_back(std::make_unique<worker>(work));
  for (;;) {
    std::vector<pollfd> waits;
    std::vector<worker*> busy;
    for (const auto& each : workers) {
      std::uint64_t job = 0;
      if (!each->is_busy() && next(job)) each->give(job, clock::now() + options.job_limit);
      if (!each->is_busy()) continue;
      busy.push_back(each.get());
      waits.push_back({each->answers(), POLLIN, 0});
    }
    if (busy.empty()) return;
    poll(waits.data(), waits.size(), 1000);
    for (std::size_t i = 0; i < busy.size(); ++i) {
      if (waits[i].revents != 0) {
        done(busy[i]->take());
      } else if (clock::now() > busy[i]->limit()) {
        done(busy[i]->kill_job());
      }
    }
  }
}

job_result run_job(const std::function<std::string()>& work, std::chrono::seconds limit) {
  job_result only;
  bool is_given = false;
  run_jobs(
      {.processes = 1, .job_limit = limit}, [&](std::uint64_t&) { return !std::exchange(is_given, true); },
      [&](std::uint64_t) { return work(); }, [&](const job_result& result) { only = result; });
  return only;
}

}  // namespace tilewright::test
