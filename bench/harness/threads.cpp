// SPDX-License-Identifier: Apache-2.0
#include "harness/threads.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>

namespace tilewright::bench {
namespace {

std::vector<int> usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
      if (CPU_ISSET(core, &set)) cores.push_back(core);
    }
  }
  if (cores.empty()) cores.push_back(0);
  return cores;
}

// Without permission to pin, the thread runs where the system puts it: slower at times, never wrong.
void pin_to(int core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(core, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

}  // namespace

int thread_count() {
  static const int count = static_cast<int>(usable_cores().size());  // before any thread is pinned
  return count;
}

PinnedThreads::PinnedThreads(int count) {
  const std::vector<int> cores = usable_cores();
  for (int thread = 0; thread < count; ++thread) {
    threads_.emplace_back(
        [this, thread, core = cores[static_cast<std::size_t>(thread) % cores.size()]] { serve(thread, core); });
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

void PinnedThreads::serve(int thread, int core) {
  pin_to(core);
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
