// SPDX-License-Identifier: Apache-2.0
#include "runtime/task_driver.hpp"

#include "runtime/range_events.hpp"
#include "tilewright/runtime/task.hpp"

namespace tilewright::detail {
namespace {

constexpr std::int64_t between_looks_us = 50;  // at streams that do not tell when they are done
constexpr std::int64_t short_ns = 100'000;     // from enqueueing to the end: a few times what waking a thread costs

}  // namespace

// ---- Coroutines ----------------------------------------------------------------------------------------------------
task_frame::~task_frame() {
  if (is_queued) context->driver->forget(*this);
}

void start_part(task_frame& part, const task_frame& whole, task_join& join) noexcept {
  part.context = whole.context;
  part.join = &join;
  part.context->driver->make_ready(part);
}

void finish(task_frame& ended) noexcept {
  if (ended.join == nullptr) {
    ended.context->is_finished = true;
  } else if (--ended.join->left == 0) {
    ended.context->driver->make_ready(*ended.join->waiting);
  }
}

void drive(task_frame& first) {
  require_outside_then("sync()");
  task_driver driver;
  task_context context;
  context.driver = &driver;
  first.context = &context;
  driver.make_ready(first);
  while (!context.is_finished) {
    if (driver.has_ready()) {
      driver.run_one();
    } else {
      driver.wait();
    }
  }
}

// ---- Awaiting ------------------------------------------------------------------------------------------------------
work_await::work_await(task_frame& waiting, enqueued_range&& flying) : waiting_(waiting), range_(std::move(flying)) {}

work_await::~work_await() {
  if (is_listed_) waiting_.context->driver->remove(*this);
}

void work_await::require_not_cancelled() const {
  if (!waiting_.context->is_cancelled.load(std::memory_order_relaxed)) return;
  throw cancelled({.what = "a task was cancelled",
                   .where = "co_await",
                   .expected = "",
                   .got = "",
                   .fix = "let it end; catch `cancelled` where the task is waited for"});
}

bool work_await::start(op_work& work) {
  require_not_cancelled();
  task_driver& driver = *waiting_.context->driver;
  const bool is_alone = driver.is_alone();
  if (!is_alone) started_ns_ = steady_now_ns();
  if (!is_alone && (!driver.is_idle() || !waiting_.context->was_short)) {
    detail::start(work, nullptr, range_);
    return is_done(range_);
  }
  stream_queue& stream = thread_stream(work.device());
  const stream_scope scope(stream);  // so that the stream's thread is not woken for what runs here
  work.enqueue(stream, range_);
  if (!is_alone) return run_here() || is_done(range_);
  wait_quietly(range_);
  return true;
}

// If nothing comes before it.
bool work_await::run_here() noexcept {
  if (!range_.earlier.empty() || range_.last.stream == nullptr) return false;
  if (!range_.last.stream->run_if_next(range_.last.ticket)) return false;
  note_time();
  return true;
}

void work_await::note_time() noexcept { waiting_.context->was_short = steady_now_ns() - started_ns_ < short_ns; }

bool work_await::look() {
  require_not_cancelled();
  if (waiting_.context->driver->is_alone()) wait_quietly(range_);
  return is_done(range_);
}

void work_await::suspend() noexcept {
  try {
    each_event(range_, [](const event& each) { each.stream->mark(each.ticket); });
  } catch (...) {  // then it is seen when what is behind it is done
  }
  waiting_.context->driver->add(*this);
}

void work_await::finish() {
  if (is_cancelled_) require_not_cancelled();
  wait(range_);
}

// ---- The driver ----------------------------------------------------------------------------------------------------
void task_driver::make_ready(task_frame& frame) noexcept {
  frame.next = nullptr;
  frame.is_queued = true;
  (last_ready_ != nullptr ? last_ready_->next : first_ready_) = &frame;
  last_ready_ = &frame;
}

void task_driver::forget(task_frame& frame) noexcept {
  task_frame* before = nullptr;
  task_frame** place = &first_ready_;
  while (*place != &frame) {
    before = *place;
    place = &before->next;
  }
  *place = frame.next;
  if (last_ready_ == &frame) last_ready_ = before;
}

void task_driver::run_one() {
  task_frame& frame = *first_ready_;
  first_ready_ = frame.next;
  if (first_ready_ == nullptr) last_ready_ = nullptr;
  frame.is_queued = false;
  frame.handle.resume();
}

void task_driver::add(work_await& work) noexcept {
  work.is_listed_ = true;
  work.before_ = nullptr;
  work.after_ = first_pending_;
  if (first_pending_ != nullptr) first_pending_->before_ = &work;
  first_pending_ = &work;
}

void task_driver::remove(work_await& work) noexcept {
  work.is_listed_ = false;
  (work.before_ != nullptr ? work.before_->after_ : first_pending_) = work.after_;
  if (work.after_ != nullptr) work.after_->before_ = work.before_;
}

void task_driver::complete(work_await& work) noexcept {
  remove(work);
  make_ready(work.waiting_);
}

void task_driver::cancel(const task_context& context) noexcept {
  for (work_await* work = first_pending_; work != nullptr;) {
    work_await& each = *work;
    work = each.after_;
    if (each.waiting_.context != &context) continue;
    each.is_cancelled_ = !is_done(each.range_);
    complete(each);
  }
}

bool task_driver::poll() noexcept {
  for (work_await* work = first_pending_; work != nullptr;) {
    work_await& each = *work;
    work = each.after_;
    if (!is_done(each.range_)) continue;
    each.note_time();
    complete(each);
  }
  return has_ready();
}

bool task_driver::ask_for_signals() noexcept {
  bool do_all_tell = true;
  for (work_await* work = first_pending_; work != nullptr; work = work->after_) {
    if (work->has_signal_) continue;
    bool does_tell = true;
    try {
      each_event(work->range_, [&](const event& each) {
        does_tell = each.stream->signal_when_done(each.ticket, signal_) && does_tell;
      });
    } catch (...) {
      does_tell = false;  // no memory for it
    }
    work->has_signal_ = does_tell;
    do_all_tell = do_all_tell && does_tell;
  }
  return do_all_tell;
}

void task_driver::sleep() noexcept {
  if (ask_for_signals()) {
    signal_->wait();
  } else {
    signal_->wait_at_most(between_looks_us);
  }
}

void task_driver::wait() noexcept {
  work_await* const only = first_pending_;
  if (may_wait() && only != nullptr && only->after_ == nullptr) {
    wait_quietly(only->range_);
    return complete(*only);
  }
  spin_window window;
  window.open();
  while (!poll()) {
    if (!window.is_open()) sleep();
  }
}

}  // namespace tilewright::detail
