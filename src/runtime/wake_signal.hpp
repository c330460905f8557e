// SPDX-License-Identifier: Apache-2.0
// Wakes one thread that sleeps until something happens, whatever of several things it is. Setting it while that thread
// is awake costs two atomic operations. test/model/reactor.pml models it too.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace tilewright::detail {

class wake_signal {
 public:
  void set() noexcept;  // any thread
  // The one thread: sleeps until it is set, or has been since the last wait; with a limit no longer than that.
  void wait() noexcept { sleep(-1); }
  void wait_at_most(std::int64_t microseconds) noexcept { sleep(microseconds); }

 private:
  void sleep(std::int64_t microseconds) noexcept;

  std::atomic<bool> is_set_{false}, is_asleep_{false};
  std::mutex mutex_;
  std::condition_variable woken_;
};

std::int64_t steady_now_ns() noexcept;

// Right after something happened, more is likely to: a thread that looks on for a while is not slow to see it.
class spin_window {
 public:
  void open() noexcept;
  bool is_open() noexcept;  // gives the core to others if it is

 private:
  std::int64_t end_ = 0;  // in nanoseconds of the steady clock
};

}  // namespace tilewright::detail
