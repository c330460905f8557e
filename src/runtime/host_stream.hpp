// SPDX-License-Identifier: Apache-2.0
// The in-order queue behind a Stream of the host. Any thread appends, without a lock; one at a time consumes: the
// stream's own thread, or a thread that waits for a result and finds nobody at work. That saves two thread switches per
// sync().
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/device_engine.hpp"
#include "runtime/failures.hpp"
#include "runtime/stream_queue.hpp"

namespace tilewright::detail {

class host_stream final : public stream_queue {
 public:
  explicit host_stream(device_engine& device);
  ~host_stream() override;  // runs what is there, then ends

  std::uint64_t push(work entry) override;
  void hold() override { held_.fetch_add(1); }
  void let_go() override;
  void wait_for(const event& before) override;
  void let_run(std::uint64_t ticket) override;

  bool is_done(std::uint64_t ticket) override { return completed_.load() >= ticket; }
  bool has_passed(std::uint64_t ticket) const noexcept override { return completed_.load() >= ticket; }
  std::uint64_t last_ticket() const override { return pushed_.load(std::memory_order_acquire); }
  void wait(std::uint64_t ticket) noexcept override;
  bool run_if_next(std::uint64_t ticket) noexcept override;
  bool signal_when_done(std::uint64_t ticket, const std::shared_ptr<wake_signal>& signal) override;
  void throw_failure(std::uint64_t first, std::uint64_t last, const void* context = nullptr) override {
    device().require_this_process();
    failures_.throw_one(first, last, context);
  }

 private:
  struct slot {
    std::atomic<std::uint64_t> turn;
    work entry;
  };
  static constexpr std::uint64_t capacity = std::uint64_t{1} << 14;

  bool may_run_by_itself() const { return held_.load() == 0 || completed_.load() < released_.load(); }
  bool is_empty() const { return completed_.load() == pushed_.load(); }
  bool take_role() { return !is_consuming_.exchange(true); }
  void drop_role();
  void consume(std::uint64_t last);  // with the role: until `last` is done or nothing is there
  void run_one(const work& entry, std::uint64_t ticket) noexcept;
  void wake_thread();
  void notify_waiters();       // whoever they are
  void notify_of_completed();  // only if what somebody waits for is done
  void thread_loop();

  std::unique_ptr<slot[]> slots_;
  alignas(64) std::atomic<std::uint64_t> pushed_{0};
  alignas(64) std::atomic<std::uint64_t> completed_{0};
  std::atomic<bool> is_consuming_{false};
  std::atomic<int> held_{0};
  std::atomic<std::uint64_t> released_{0};  // up to here entries run though the stream is held
  std::atomic<int> waiters_{0};
  std::atomic<std::uint64_t> awaited_{UINT64_MAX};  // the earliest ticket that a sleeping thread or a signal waits for
  std::atomic<bool> is_asleep_{false};
  std::atomic<bool> is_ending_{false};
  failures failures_;

  std::mutex mutex_;  // of the sleepers
  std::condition_variable done_, arrived_;
  std::vector<std::pair<std::uint64_t, std::shared_ptr<wake_signal>>> signals_;  // by no order
  std::thread thread_;
};

}  // namespace tilewright::detail
