// SPDX-License-Identifier: Apache-2.0
// Threads that wait for work, and nothing else: how the work is cut is the executor's matter. Implemented in cpu/ over
// oneTBB and in cpu_threads/ over std::thread; CMake chooses one. Workers are not tied to cores: callers cannot be, and
// with tied workers the scheduler left both on one core for whole runs, at half the speed. Those that wait give their
// core away instead.
#pragma once

#include <memory>

namespace tilewright::runtime {

// Work that any number of threads may do together: each calls run() once, and it returns when nothing is left to take.
class shared_work {
 public:
  virtual void run() noexcept = 0;

 protected:
  ~shared_work() = default;
};

class worker_pool {
 public:
  // `threads` >= 1 counts the caller of run().
  explicit worker_pool(int threads);
  ~worker_pool();
  worker_pool(const worker_pool&) = delete;
  worker_pool& operator=(const worker_pool&) = delete;

  // Calls work.run() on this thread and on at most `helpers` workers at the same time; returns when every one of these
  // calls has ended. Workers that come too late are not waited for. Any thread may call. Allocates nothing.
  void run(shared_work& work, int helpers);

  int threads() const noexcept { return threads_; }

 private:
  class state;
  int threads_;
  std::unique_ptr<state> state_;
};

}  // namespace tilewright::runtime
