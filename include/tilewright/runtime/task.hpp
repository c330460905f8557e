// SPDX-License-Identifier: Apache-2.0
// Task: a coroutine that awaits ops. One thread has any number of them in flight, and none waits by a thread of its
// own. Parameters come by value, so that nothing a coroutine uses can be gone when it goes on.
#pragma once

#include <vector>

#include "tilewright/runtime/detail/task_promise.hpp"

TILEWRIGHT_BEGIN_OWNERS

// A Task's coroutine may have these parameters only.
template <class R, class... Parameters>
struct std::coroutine_traits<tilewright::Task<R>, Parameters...> {
  using promise_type = typename tilewright::detail::checked_promise<R, Parameters...>::type;
};

namespace tilewright {

// What a co_await throws in a task that was cancelled.
class TILEWRIGHT_API cancelled : public runtime_error {
 public:
  using runtime_error::runtime_error;
};

// A coroutine that has not begun: `Task<Tensor<f32>> step(Tensor<f32> z, Shared<f32> x) { ... co_return z; }`. Inside,
// co_await takes an Op, an InFlight, a Task or when_all(), by value or std::move, and gives what that gives; it throws
// what failed there, and the coroutine may catch it.
template <class R = void>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN(
    "a Task does nothing until it is run: sync(), spawn() or co_await") Task {
 public:
  using output = R;

  Task(Task&& other) noexcept : frame_(std::move(other.frame_)) {}
  Task& operator=(Task&& other) noexcept TILEWRIGHT_RENEWS {
    detail::task_owner<R> taken = std::move(other.frame_);
    drop();
    frame_ = std::move(taken);
    return *this;
  }
  ~Task() TILEWRIGHT_WANTS_SPENT { drop(); }

  // Runs it to its end on this thread, its ops on this thread's streams, and gives what it returns or throws. While it
  // awaits one op, that costs no more than the op's own sync().
  R sync() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::task_owner<R> frame = take();
    detail::drive(frame.promise());
    return frame.promise().take();
  }
  // The same with a failure of the device as a value; see Result.
  Result<R> try_sync() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::task_owner<R> frame = take();
    return detail::result_of_task<R>([&] { detail::drive(frame.promise()); }, frame.promise());
  }
  // Gives it up; its parameters are freed.
  void discard() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { (void)take(); }

  R sync() & = delete;
  Result<R> try_sync() & = delete;
  void discard() & = delete;

  // For the runtime itself.
  explicit Task(detail::task_owner<R>&& frame) noexcept : frame_(std::move(frame)) {}
  detail::task_owner<R> release() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { return take(); }

 private:
  detail::task_owner<R> take() {
    if (!frame_) detail::refuse_second_run("Task");
    return std::move(frame_);
  }
  void drop() noexcept {
    if (frame_) detail::report_misuse("a Task was destroyed without having run; run it, or call discard()");
    frame_ = {};
  }

  detail::task_owner<R> frame_;
};

// A spawned task: it runs on the one thread that all spawned tasks share.
template <class R = void>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("wait() for a spawned task, cancel() it, or detach() it") Running {
 public:
  using output = R;

  Running(Running&& other) noexcept : root_(std::exchange(other.root_, nullptr)), promise_(other.promise_) {}
  Running& operator=(Running&& other) noexcept TILEWRIGHT_RENEWS {
    detail::task_root* taken = std::exchange(other.root_, nullptr);
    drop();
    root_ = taken;
    promise_ = other.promise_;
    return *this;
  }
  ~Running() TILEWRIGHT_WANTS_SPENT { drop(); }

  bool is_done() const { return root_ != nullptr && detail::is_done(*root_); }
  // Waits, and gives what the task returns or throws. Throws usage_error inside a spawned task: co_await it there.
  R wait() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::root_owner root = take();
    detail::wait(*root);
    return promise_->take();
  }
  // The same with a failure of the device, or `cancelled`, as a value.
  Result<R> try_wait() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::root_owner root = take();
    return detail::result_of_task<R>([&] { detail::wait(*root); }, *promise_);
  }
  // Asks the task to end: the co_await that it is in, or the next one, throws `cancelled`. Work in flight goes on to
  // its end and keeps its memory until then; a short launch that the task's thread runs itself ends first, and is no
  // reason to throw. wait() then gives what the task makes of it.
  void request_cancel() const& {
    if (root_ != nullptr) detail::request_cancel(*root_);
  }
  // Asks the task to end and waits until it has; what it returns or throws is dropped.
  void cancel() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::root_owner root = take();
    detail::request_cancel(*root);
    detail::wait(*root);
  }
  // Lets it go on alone. What it throws is dropped; at the end of the program it is destroyed where it awaits.
  void detach() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { (void)take(); }

  R wait() & = delete;
  Result<R> try_wait() & = delete;
  void cancel() & = delete;
  void detach() & = delete;

  // For the runtime itself.
  Running(detail::task_root& root, detail::task_promise<R>& promise) : root_(&root), promise_(&promise) {}

 private:
  detail::root_owner take() {
    if (root_ == nullptr) detail::refuse_second_run("Running");
    return detail::root_owner(std::exchange(root_, nullptr));
  }
  void drop() noexcept {
    if (root_ == nullptr) return;
    detail::report_misuse("a Running task was dropped; call wait() or cancel(), or detach() to let it go on alone");
    detail::request_cancel(*root_);
    detail::release(*std::exchange(root_, nullptr));
  }

  detail::task_root* root_;
  detail::task_promise<R>* promise_;
};

// Begins the task on the thread of spawned tasks. Its ops share a few streams of each device with those of other
// spawned tasks; an op that is started on a stream of its own can be awaited too. What a task does between its awaits
// holds up the others, so it should not wait there.
template <class R>
Running<R> spawn(Task<R>&& task) {
  detail::task_promise<R>& promise = std::move(task).release().release();
  return Running<R>(detail::spawn(promise), promise);
}
template <class R>
void spawn(Task<R>& task) = delete;  // std::move(task)

// Several tasks as one, for co_await: they are all begun, take turns, and go on alone where they await. Gives a tuple
// of what they return, without those that return nothing. All of them end before the first failure, in this order, is
// thrown.
template <class... R>
detail::task_tuple<R...> when_all(Task<R>&&... tasks) {
  static_assert(sizeof...(R) > 0, "when_all() takes one task or more");
  return detail::task_tuple<R...>{std::tuple<Task<R>...>(std::move(tasks)...)};
}
// The same for any number of one kind. Gives a vector, or nothing.
template <class R>
detail::task_list<R> when_all(std::vector<Task<R>>&& tasks) {
  return detail::task_list<R>{std::move(tasks)};
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
