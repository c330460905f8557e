// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_stream.hpp"

namespace tilewright::cuda {

cuda_stream::cuda_stream(detail::device_engine& device, gpu_context& context)
    : stream_queue(device), context_(context) {
  context_.call(context_.driver().stream_create, &handle_, stream_non_blocking);
}

cuda_stream::~cuda_stream() {
  wait(last_ticket());
  for (const mark& each : marks_) {
    if (each.event != nullptr) (void)context_.try_call(context_.driver().event_destroy, each.event);
  }
  (void)context_.try_call(context_.driver().stream_destroy, handle_);
}

std::uint64_t cuda_stream::push(detail::work entry) {
  const std::lock_guard lock(mutex_);
  mark_now_and_then();
  const std::uint64_t ticket = submitted_.load(std::memory_order_relaxed) + 1;
  if (entry.done != nullptr) {
    try {
      in_flight_.push_back({ticket, entry.done, entry.context});
    } catch (...) {
      entry.done(entry.context);
      throw;
    }
  }
  try {
    entry.run(entry.context, *this);
  } catch (...) {
    failures_.keep(ticket, entry.context);
  }
  submitted_.store(ticket, std::memory_order_release);
  return ticket;
}

// ---- Marks ---------------------------------------------------------------------------------------------------------
void cuda_stream::mark_now_and_then() noexcept {
  if (submitted_.load(std::memory_order_relaxed) - last_mark_ < between_marks) return;
  look();
  if (mark_count_ == most_marks) {  // the host is far ahead: let the GPU come nearer
    const mark oldest = marks_[first_mark_];
    const result code = context_.try_call(context_.driver().event_synchronize, oldest.event);
    if (code == result::success) complete(oldest.ticket);
    if (context_.is_lost()) complete_lost();
  }
  make_mark();
}

const cuda_stream::mark* cuda_stream::make_mark() noexcept {
  if (mark_count_ == most_marks) return nullptr;
  mark& free = marks_[(first_mark_ + mark_count_) % most_marks];
  const driver_table& driver = context_.driver();
  if (free.event == nullptr &&
      context_.try_call(driver.event_create, &free.event, event_disable_timing) != result::success) {
    return nullptr;
  }
  if (context_.try_call(driver.event_record, free.event, handle_) != result::success) return nullptr;
  free.ticket = last_mark_ = submitted_.load(std::memory_order_relaxed);
  ++mark_count_;
  return &free;
}

const cuda_stream::mark* cuda_stream::mark_after(std::uint64_t ticket) noexcept {
  for (std::size_t i = 0; i < mark_count_; ++i) {
    const mark& each = marks_[(first_mark_ + i) % most_marks];
    if (each.ticket >= ticket) return &each;
  }
  return make_mark();
}

// ---- Completion ----------------------------------------------------------------------------------------------------
void cuda_stream::complete(std::uint64_t ticket) noexcept {
  while (!in_flight_.empty() && in_flight_.front().ticket <= ticket) {
    const owned entry = in_flight_.front();
    in_flight_.pop_front();
    try {
      entry.done(entry.context);
    } catch (...) {
      failures_.keep(entry.ticket, entry.context);
    }
  }
  while (mark_count_ > 0 && marks_[first_mark_].ticket <= ticket) {
    first_mark_ = (first_mark_ + 1) % most_marks;
    --mark_count_;
  }
  if (completed_.load(std::memory_order_relaxed) < ticket) completed_.store(ticket, std::memory_order_release);
}

// Nothing runs on a lost context any more, so nothing is in use.
void cuda_stream::complete_lost() noexcept { complete(submitted_.load(std::memory_order_relaxed)); }

void cuda_stream::look() noexcept {
  const std::uint64_t submitted = submitted_.load(std::memory_order_relaxed);
  if (completed_.load(std::memory_order_relaxed) == submitted) return;
  const driver_table& driver = context_.driver();
  if (context_.try_call(driver.stream_query, handle_) == result::success) return complete(submitted);
  while (mark_count_ > 0) {
    const mark oldest = marks_[first_mark_];
    if (context_.try_call(driver.event_query, oldest.event) != result::success) break;
    complete(oldest.ticket);
  }
  if (context_.is_lost()) complete_lost();
}

void cuda_stream::give_back_passed() noexcept {
  const std::lock_guard lock(mutex_);
  if (!in_flight_.empty()) look();
}

bool cuda_stream::is_done(std::uint64_t ticket) {
  if (completed_.load(std::memory_order_acquire) >= ticket) return true;
  const std::lock_guard lock(mutex_);
  look();
  return completed_.load(std::memory_order_relaxed) >= ticket;
}

// The event may be recorded anew by another thread meanwhile: then this waits a little longer, for no less.
void cuda_stream::wait(std::uint64_t ticket) noexcept {
  const driver_table& driver = context_.driver();
  while (completed_.load(std::memory_order_acquire) < ticket) {
    event_handle until = nullptr;
    std::uint64_t reached = 0;
    {
      const std::lock_guard lock(mutex_);
      if (context_.is_lost()) return complete_lost();
      reached = submitted_.load(std::memory_order_relaxed);
      if (const mark* found = mark_after(ticket); found != nullptr) {
        until = found->event;
        reached = found->ticket;
      }
    }
    result code = result::unknown;
    if (until != nullptr) code = context_.try_call(driver.event_synchronize, until);
    if (code != result::success) code = context_.try_call(driver.stream_synchronize, handle_);
    const std::lock_guard lock(mutex_);
    if (code == result::success) {
      complete(reached);
    } else {
      context_.lose(code);  // neither way to wait works, so nothing is known of the work
      complete_lost();
    }
  }
}

void cuda_stream::wait_for(const detail::event& before) {
  auto& other = static_cast<cuda_stream&>(*before.stream);
  const driver_table& driver = context_.driver();
  {
    // Under the other stream's lock alone, so that two streams may wait for each other's work at once.
    const std::lock_guard lock(other.mutex_);
    if (other.completed_.load(std::memory_order_relaxed) >= before.ticket) return;
    if (const mark* found = other.mark_after(before.ticket); found != nullptr) {
      context_.call(driver.stream_wait_event, handle_, found->event, 0u);
      return;
    }
  }
  other.wait(before.ticket);  // no event to be had: the host waits
}

void cuda_stream::throw_failure(std::uint64_t first, std::uint64_t last, const void* context) {
  context_.require_alive();
  failures_.throw_one(first, last, context);
}

}  // namespace tilewright::cuda
