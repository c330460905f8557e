// SPDX-License-Identifier: Apache-2.0
// The in-order queue behind a Stream. Any thread appends, without a lock; one at a time consumes: the stream's own
// thread, or a thread that waits for a result and finds nobody at work. That saves two thread switches per sync().
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>

#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright::detail {

class stream_queue {
 public:
  // What runs. An exception fails this entry, not the stream.
  struct work {
    void (*run)(void* context);
    void* context;
  };

  explicit stream_queue(device_engine& device);
  stream_queue(const stream_queue&) = delete;
  stream_queue& operator=(const stream_queue&) = delete;
  ~stream_queue();  // runs what is there, then ends

  device_engine& device() const { return device_; }

  // Appends and gives the place in the order, counted from 1. Waits while the queue is full.
  std::uint64_t push(work entry);
  // Makes the next pushes wake the stream's thread, or not: see stream_scope.
  void hold() { held_.fetch_add(1); }
  void let_go();

  bool is_done(std::uint64_t ticket) const { return completed_.load() >= ticket; }
  std::uint64_t last_ticket() const { return pushed_.load(std::memory_order_acquire); }
  // Returns when entry `ticket` is done; may run entries itself.
  void wait(std::uint64_t ticket) noexcept;
  // Throws the failure of an entry first ... last, and forgets it.
  void throw_failure(std::uint64_t first, std::uint64_t last);

 private:
  struct slot {
    std::atomic<std::uint64_t> turn;
    work entry;
  };
  static constexpr std::uint64_t capacity = std::uint64_t{1} << 14;

  bool is_empty() const { return completed_.load() == pushed_.load(); }
  bool take_role() { return !is_consuming_.exchange(true); }
  void drop_role();
  void consume(std::uint64_t last);  // with the role: until `last` is done or nothing is there
  void run_one(const work& entry, std::uint64_t ticket) noexcept;
  void wake_thread();
  void notify_waiters();       // whoever they are
  void notify_of_completed();  // only if what somebody waits for is done
  void thread_loop();

  device_engine& device_;
  std::unique_ptr<slot[]> slots_;
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  alignas(64) std::atomic<std::uint64_t> completed_{0};
  std::atomic<bool> is_consuming_{false};
  std::atomic<int> held_{0};
  std::atomic<int> waiters_{0};
  std::atomic<std::uint64_t> awaited_{UINT64_MAX};  // the earliest ticket that a sleeping thread waits for
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> is_ending_{false};

  std::mutex mutex_;  // of the sleepers, and of failures_
  std::condition_variable done_, arrived_;
  std::map<std::uint64_t, std::exception_ptr> failures_;
  std::atomic<int> failure_count_{0};
  std::thread thread_;
};

}  // namespace tilewright::detail
