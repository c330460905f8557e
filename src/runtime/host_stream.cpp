// SPDX-License-Identifier: Apache-2.0
#include "runtime/host_stream.hpp"

#include <algorithm>

#include "runtime/wake_signal.hpp"

namespace tilewright::detail {

// A slot's turn says what it waits for: the ticket that may be written there, or, one more, that ticket to be run.
host_stream::host_stream(device_engine& device) : stream_queue(device), slots_(new slot[capacity]) {
  for (std::uint64_t i = 0; i < capacity; ++i) slots_[i].turn.store(2 * i, std::memory_order_relaxed);
  thread_ = std::thread([this] { thread_loop(); });
}

host_stream::~host_stream() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  arrived_.notify_all();
  thread_.join();
}

std::uint64_t host_stream::push(work entry) {
  const std::uint64_t place = pushed_.fetch_add(1);
  slot& free = slots_[place % capacity];
  while (free.turn.load(std::memory_order_acquire) != 2 * place) {
    wake_thread();  // full: somebody has to run entries, whoever holds the stream
    std::this_thread::yield();
  }
  free.entry = entry;
  free.turn.store(2 * place + 1);
  if (may_run_by_itself()) wake_thread();
  return place + 1;
}

void host_stream::let_go() {
  if (held_.fetch_sub(1) == 1 && !is_empty()) wake_thread();
}

void host_stream::let_run(std::uint64_t ticket) {
  std::uint64_t known = released_.load();
  while (known < ticket && !released_.compare_exchange_weak(known, ticket)) {
  }
  if (!is_done(ticket)) wake_thread();
}

void host_stream::wake_thread() {
  if (!is_asleep_.load()) return;
  const std::lock_guard lock(mutex_);
  is_asleep_ = false;
  arrived_.notify_one();
}

void host_stream::drop_role() {
  is_consuming_.store(false);
  if (is_empty()) return;
  notify_waiters();  // one of them may go on
  if (may_run_by_itself()) wake_thread();
}

void host_stream::notify_waiters() {
  if (waiters_.load() == 0) return;
  const std::lock_guard lock(mutex_);
  done_.notify_all();
}

// A thread that waits for the last of many entries sleeps through the others.
void host_stream::notify_of_completed() {
  if (completed_.load() < awaited_.load()) return;
  const std::lock_guard lock(mutex_);
  awaited_ = UINT64_MAX;  // those who wait for more say so again
  done_.notify_all();
  std::erase_if(signals_, [this](const auto& each) {
    const auto& [ticket, signal] = each;
    awaited_ = std::min(awaited_.load(), ticket);  // before the look, see wait()
    if (!is_done(ticket)) return false;
    signal->set();
    return true;
  });
}

bool host_stream::signal_when_done(std::uint64_t ticket, const std::shared_ptr<wake_signal>& signal) {
  const std::lock_guard lock(mutex_);
  signals_.emplace_back(ticket, signal);
  awaited_ = std::min(awaited_.load(), ticket);
  if (is_done(ticket)) {
    signals_.pop_back();
    signal->set();
  }
  return true;
}

void host_stream::consume(std::uint64_t last) {
  for (;;) {
    const std::uint64_t place = completed_.load(std::memory_order_relaxed);
    if (place >= last) return;
    slot& next = slots_[place % capacity];
    if (next.turn.load() != 2 * place + 1) return;
    run_one(next.entry, place + 1);
    next.turn.store(2 * (place + capacity), std::memory_order_release);
    completed_.store(place + 1);
    notify_of_completed();
  }
}

void host_stream::run_one(const work& entry, std::uint64_t ticket) noexcept {
  try {
    entry.run(entry.context, *this);
  } catch (...) {
    failures_.keep(ticket, entry.context, std::current_exception());
  }
  if (entry.done == nullptr) return;
  if (std::exception_ptr failed = entry.done(entry.context)) failures_.keep(ticket, entry.context, std::move(failed));
}

// An entry that waits for the other stream, of any device, which lives as long as the program.
void host_stream::wait_for(const event& before) {
  auto context = std::make_unique<event>(before);
  before.stream->mark(before.ticket);
  push({[](void* other, stream_queue&) {
          const auto* until = static_cast<const event*>(other);
          until->stream->wait(until->ticket);
        },
        [](void* other) {
          delete static_cast<event*>(other);
          return std::exception_ptr();
        },
        context.get()});
  (void)context.release();
}

void host_stream::wait(std::uint64_t ticket) noexcept {
  while (!is_done(ticket) && !device().is_of_other_process()) {
    if (take_role()) {
      consume(ticket);
      drop_role();
      continue;
    }
    std::unique_lock lock(mutex_);
    waiters_.fetch_add(1);
    done_.wait(lock, [&] {
      awaited_ =
          std::min(awaited_.load(), ticket);  // before the look: the consumer writes and reads the other way round
      return is_done(ticket) || !is_consuming_.load();
    });
    waiters_.fetch_sub(1);
  }
}

bool host_stream::run_if_next(std::uint64_t ticket) noexcept {
  if (completed_.load() + 1 != ticket || !take_role()) return false;
  consume(ticket);
  drop_role();
  return is_done(ticket);
}

void host_stream::thread_loop() {
  for (;;) {
    if (take_role()) {
      consume(UINT64_MAX);
      drop_role();
    }
    std::unique_lock lock(mutex_);
    is_asleep_ = true;
    // What came between the last look and now would wake nobody.
    if (!is_empty() && !is_consuming_.load() && may_run_by_itself()) {
      is_asleep_ = false;
      continue;
    }
    if (is_ending_) return;
    arrived_.wait(lock, [&] { return !is_asleep_.load() || is_ending_.load(); });
    is_asleep_ = false;
  }
}

}  // namespace tilewright::detail
