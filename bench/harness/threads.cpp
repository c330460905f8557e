// SPDX-License-Identifier: Apache-2.0
#include "harness/threads.hpp"

#include <sched.h>

namespace tilewright::bench {
namespace {

// As they were when first asked for: before any thread was bound.
const std::vector<int>& usable_cores() {
  static const std::vector<int> cores = [] {
    cpu_set_t set;
    CPU_ZERO(&set);
    std::vector<int> found;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
      for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (CPU_ISSET(core, &set)) found.push_back(core);
      }
    }
    if (found.empty()) found.push_back(0);
    return found;
  }();
  return cores;
}

}  // namespace

int thread_count() { return static_cast<int>(usable_cores().size()); }

void bind_to_core(pid_t thread, int number) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(usable_cores()[static_cast<std::size_t>(number) % usable_cores().size()], &set);
  sched_setaffinity(thread, sizeof set, &set);
}

void unbind() {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (const int core : usable_cores()) CPU_SET(core, &set);
  sched_setaffinity(0, sizeof set, &set);
}

PinnedThreads::PinnedThreads(int count) {
  (void)usable_cores();
  for (int thread = 0; thread < count; ++thread) {
    threads_.emplace_back([this, thread] { serve(thread); });
  }
}

PinnedThreads::~PinnedThreads() {
  generation_ = -1;
  generation_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void PinnedThreads::run(const std::function<void(int)>& work) {
  work_ = &work;
  running_ = count();
  ++generation_;
  generation_.notify_all();
  for (int left = running_; left != 0; left = running_) running_.wait(left);
}

void PinnedThreads::serve(int thread) {
  bind_to_core(0, thread);
  int seen = 0;
  while (true) {
    generation_.wait(seen);
    seen = generation_;
    if (seen < 0) return;
    (*work_)(thread);
    if (--running_ == 0) running_.notify_all();
  }
}

}  // namespace tilewright::bench
