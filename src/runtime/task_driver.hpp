// SPDX-License-Identifier: Apache-2.0
// Runs coroutines on one thread: those that can go on, one after the other, and of those that await work in streams it
// finds out when that is done. A sync() has one of its own; all spawned tasks share the reactor's.
#pragma once

#include <atomic>
#include <memory>

#include "runtime/wake_signal.hpp"
#include "tilewright/runtime/detail/task_frame.hpp"

namespace tilewright::detail {

struct task_context {
  task_driver* driver = nullptr;
  int lane = -1;  // of a spawned task: which streams its ops use
  bool is_finished = false;
  bool was_short = false;  // the last work it awaited took less time than waking a thread
  std::atomic<bool> is_cancelled{false};
};

class task_driver {
 public:
  // Without `is_wanted` it is its user's alone: where nothing else is to do it may wait for one op, and run the op's
  // stream meanwhile. Else others may want its thread, and say so there: then it runs short work only.
  explicit task_driver(const std::atomic<bool>* is_wanted = nullptr)
      : is_wanted_(is_wanted), signal_(std::make_shared<wake_signal>()) {}
  task_driver(const task_driver&) = delete;
  task_driver& operator=(const task_driver&) = delete;

  void make_ready(task_frame& frame) noexcept;
  void forget(task_frame& frame) noexcept;
  void add(work_await& work) noexcept;
  void remove(work_await& work) noexcept;
  // Coroutines of this context that await work go on now, and get `cancelled`.
  void cancel(const task_context& context) noexcept;

  bool has_ready() const noexcept { return first_ready_ != nullptr; }
  bool has_pending() const noexcept { return first_pending_ != nullptr; }
  bool is_alone() const noexcept { return may_wait() && !has_ready() && !has_pending(); }
  // Of a driver that is not alone: nothing else is to do.
  bool is_idle() const noexcept {
    return !has_ready() && !has_pending() && !may_wait() && !is_wanted_->load(std::memory_order_relaxed);
  }

  // Of the next one that can go on; and resumes that.
  task_context& next_context() noexcept { return *first_ready_->context; }
  void run_one();
  // What is done can go on. True: something can.
  bool poll() noexcept;
  // Sleeps until some of the work is done, or signal() is set.
  void sleep() noexcept;
  // Sees to it that something can go on.
  void wait() noexcept;

  wake_signal& signal() noexcept { return *signal_; }

 private:
  bool may_wait() const noexcept { return is_wanted_ == nullptr; }
  void complete(work_await& work) noexcept;
  bool ask_for_signals() noexcept;  // false: some work has to be polled

  const std::atomic<bool>* const is_wanted_;
  task_frame *first_ready_ = nullptr, *last_ready_ = nullptr;
  work_await* first_pending_ = nullptr;
  std::shared_ptr<wake_signal> signal_;
};

}  // namespace tilewright::detail
