// SPDX-License-Identifier: Apache-2.0
// Threads for the peers' loops: pinned, one a core, and waiting between runs. A thread made for each run would often
// share its maker's core for a scheduler tick, which ruins short timings.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

namespace tilewright::bench {

// The cores that this process may use: what Tilewright's own pool takes, so both sides have the same. `taskset -c 0`
// gives one thread to each.
int thread_count();

// Keeps a thread (0: the calling one) on one of the usable cores, counted from 0 and around; unbind lets the calling
// one run anywhere again. Without permission nothing happens: slower at times, never wrong.
void bind_to_core(pid_t thread, int number);
void unbind();

class PinnedThreads {
 public:
  explicit PinnedThreads(int count = thread_count());
  ~PinnedThreads();
  PinnedThreads(const PinnedThreads&) = delete;
  PinnedThreads& operator=(const PinnedThreads&) = delete;

  int count() const { return static_cast<int>(threads_.size()); }

  // Calls work(thread) once on each thread; returns when all are done.
  void run(const std::function<void(int)>& work);

 private:
  void serve(int thread);

  const std::function<void(int)>* work_ = nullptr;
  std::atomic<int> generation_ = 0;  // a new one starts a run; negative ends the threads
  std::atomic<int> running_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace tilewright::bench
