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
  mark_now_and_then();
  const std::lock_guard lock(mutex_);
  const std::uint64_t ticket = submitted_.load(std::memory_order_relaxed) + 1;
  if (entry.done != nullptr) {
    try {
      owed_.push_back({ticket, entry.done, entry.context});
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
  if (last_ticket() - last_mark_.load(std::memory_order_relaxed) < between_marks) return;
  look();
  mark oldest{};
  {
    const std::lock_guard lock(mutex_);
    if (mark_count_ == most_marks) oldest = marks_[first_mark_];
  }
  if (oldest.event != nullptr) {  // the host is far ahead: let the GPU come nearer
    const result code = context_.try_call(context_.driver().event_synchronize, oldest.event);
    if (code == result::success) complete(oldest.ticket);
    if (context_.is_lost()) complete_lost();
  }
  const std::lock_guard lock(mutex_);
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

const cuda_stream::mark* cuda_stream::standing_mark(std::uint64_t ticket) const noexcept {
  for (std::size_t i = 0; i < mark_count_; ++i) {
    const mark& each = marks_[(first_mark_ + i) % most_marks];
    if (each.ticket >= ticket) return &each;
  }
  return nullptr;
}

const cuda_stream::mark* cuda_stream::mark_after(std::uint64_t ticket) noexcept {
  const mark* found = standing_mark(ticket);
  return found != nullptr ? found : make_mark();
}

// ---- Completion ----------------------------------------------------------------------------------------------------
void cuda_stream::complete(std::uint64_t ticket) noexcept {
  for (;;) {
    owed first{};
    {
      const std::lock_guard lock(mutex_);
      pay(ticket);
      if (owed_.empty() || owed_.front().ticket > ticket) {
        if (completed_.load(std::memory_order_relaxed) < ticket) completed_.store(ticket, std::memory_order_release);
        return;
      }
      first = owed_.front();
    }
    first.other->complete(first.other_ticket);  // without our mutex: streams may wait for each other's work
    const std::lock_guard lock(mutex_);
    if (!owed_.empty() && owed_.front() == first) owed_.pop_front();
  }
}

// Of this stream's own entries, up to what another stream has to do first.
void cuda_stream::pay(std::uint64_t ticket) noexcept {
  while (!owed_.empty() && owed_.front().ticket <= ticket && owed_.front().other == nullptr) {
    const owed entry = owed_.front();
    owed_.pop_front();
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
}

// Nothing runs on a lost context any more, so nothing is in use.
void cuda_stream::complete_lost() noexcept { complete(last_ticket()); }

std::uint64_t cuda_stream::passed() noexcept {
  const std::uint64_t submitted = submitted_.load(std::memory_order_relaxed);
  std::uint64_t reached = completed_.load(std::memory_order_relaxed);
  if (reached == submitted) return reached;
  const driver_table& driver = context_.driver();
  if (context_.try_call(driver.stream_query, handle_) == result::success) return submitted;
  for (std::size_t i = 0; i < mark_count_; ++i) {
    const mark& each = marks_[(first_mark_ + i) % most_marks];
    if (context_.try_call(driver.event_query, each.event) != result::success) break;
    reached = each.ticket;
  }
  return reached;
}

void cuda_stream::look() noexcept {
  std::uint64_t reached = 0;
  {
    const std::lock_guard lock(mutex_);
    reached = passed();
  }
  if (reached > completed_.load(std::memory_order_acquire)) complete(reached);
  if (context_.is_lost()) complete_lost();
}

void cuda_stream::give_back_passed() noexcept {
  {
    const std::lock_guard lock(mutex_);
    if (owed_.empty()) return;
  }
  look();
}

bool cuda_stream::is_done(std::uint64_t ticket) {
  if (completed_.load(std::memory_order_acquire) < ticket) look();
  return completed_.load(std::memory_order_acquire) >= ticket;
}

// The event may be recorded anew by another thread meanwhile: then this waits a little longer, for no less.
void cuda_stream::wait(std::uint64_t ticket) noexcept {
  const driver_table& driver = context_.driver();
  while (completed_.load(std::memory_order_acquire) < ticket) {
    event_handle until = nullptr;
    std::uint64_t reached = 0;
    if (context_.is_lost()) return complete_lost();
    {
      const std::lock_guard lock(mutex_);
      reached = submitted_.load(std::memory_order_relaxed);
      // For the last entry the stream itself will do: it costs no event.
      const mark* found = ticket < reached ? mark_after(ticket) : standing_mark(ticket);
      if (found != nullptr) {
        until = found->event;
        reached = found->ticket;
      }
    }
    result code = until != nullptr ? context_.try_call(driver.event_synchronize, until)
                                   : context_.try_call(driver.stream_synchronize, handle_);
    if (code != result::success) code = context_.try_call(driver.stream_synchronize, handle_);  // one more try
    if (code == result::success) {
      complete(reached);
    } else {
      context_.lose(code);  // waiting does not work, so nothing is known of the work
      complete_lost();
    }
  }
}

void cuda_stream::wait_for(const detail::event& before) {
  auto& other = static_cast<cuda_stream&>(*before.stream);
  const driver_table& driver = context_.driver();
  bool has_event = false, is_owing = false;
  {
    // Under the other stream's lock alone, so that two streams may wait for each other's work at once.
    const std::lock_guard lock(other.mutex_);
    if (other.completed_.load(std::memory_order_relaxed) >= before.ticket) return;
    if (const mark* found = other.mark_after(before.ticket); found != nullptr) {
      context_.call(driver.stream_wait_event, handle_, found->event, 0u);
      has_event = true;
    }
    is_owing = !other.owed_.empty() && other.owed_.front().ticket <= before.ticket;
  }
  if (!has_event) return other.wait(before.ticket);  // the host waits
  if (!is_owing) return;
  const std::lock_guard lock(mutex_);
  owed_.push_back({submitted_.load(std::memory_order_relaxed) + 1, nullptr, nullptr, &other, before.ticket});
}

void cuda_stream::throw_failure(std::uint64_t first, std::uint64_t last, const void* context) {
  context_.require_alive();
  failures_.throw_one(first, last, context);
}

}  // namespace tilewright::cuda
