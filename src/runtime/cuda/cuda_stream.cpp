// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/cuda_stream.hpp"

#include <algorithm>
#include <utility>

#include "runtime/device_engine.hpp"

namespace tilewright::cuda {

cuda_stream::gpu_event::~gpu_event() {
  if (handle != nullptr) (void)context.try_call(context.driver().event_destroy, handle);
}

cuda_stream::cuda_stream(detail::device_engine& device, gpu_context& context, host_signals& signals)
    : stream_queue(device), context_(context), signals_(signals) {
  context_.call(context_.driver().stream_create, &handle_, stream_non_blocking);
}

cuda_stream::~cuda_stream() {
  wait(last_ticket());
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
      (void)entry.done(entry.context);
      throw;
    }
  }
  try {
    entry.run(entry.context, *this);
  } catch (...) {
    failures_.keep(ticket, entry.context, std::current_exception());
  }
  submitted_.store(ticket, std::memory_order_release);
  return ticket;
}

// ---- Marks ---------------------------------------------------------------------------------------------------------
void cuda_stream::mark_now_and_then() noexcept {
  const std::uint64_t last = last_ticket();
  if (last - last_mark_.load(std::memory_order_relaxed) < between_marks) return;
  if (last - last_look_.load(std::memory_order_relaxed) >= between_looks) {
    last_look_.store(last, std::memory_order_relaxed);
    look();
  }
  mark_point oldest{};
  {
    const std::lock_guard lock(mutex_);
    if (!marks_.empty() && last_ticket() - marks_.front().ticket >= most_in_flight) oldest = marks_.front();
  }
  if (oldest.event != nullptr) {  // the host is far ahead: let the GPU come nearer
    const result code = context_.try_call(context_.driver().event_synchronize, oldest.event->handle);
    if (code == result::success) complete(oldest.ticket);
    if (context_.is_lost()) complete_lost();
  }
  const std::lock_guard lock(mutex_);
  make_mark();
}

// A thread that waits for an event has copied it under the mutex.
cuda_stream::shared_event cuda_stream::unused_event() noexcept {
  const auto found =
      std::find_if(passed_.begin(), passed_.end(), [](const auto& each) { return each.use_count() == 1; });
  if (found != passed_.end()) {
    shared_event event = std::move(*found);
    passed_.erase(found);
    return event;
  }
  try {
    auto event = std::make_shared<gpu_event>(context_);
    const auto& create = context_.driver().event_create;
    return context_.try_call(create, &event->handle, event_disable_timing) == result::success ? event : nullptr;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

const cuda_stream::mark_point* cuda_stream::make_mark() noexcept {
  shared_event event = unused_event();
  if (event == nullptr) return nullptr;
  if (context_.try_call(context_.driver().event_record, event->handle, handle_) != result::success) return nullptr;
  last_mark_ = submitted_.load(std::memory_order_relaxed);
  try {
    passed_.reserve(passed_.size() + marks_.size() + 1);  // so that a mark can be passed without failing
    marks_.push_back({last_mark_, std::move(event)});
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
  return &marks_.back();
}

const cuda_stream::mark_point* cuda_stream::standing_mark(std::uint64_t ticket) const noexcept {
  const auto found =
      std::find_if(marks_.begin(), marks_.end(), [&](const mark_point& each) { return each.ticket >= ticket; });
  return found != marks_.end() ? &*found : nullptr;
}

const cuda_stream::mark_point* cuda_stream::mark_after(std::uint64_t ticket) noexcept {
  const mark_point* found = standing_mark(ticket);
  return found != nullptr ? found : make_mark();
}

void cuda_stream::mark(std::uint64_t ticket) {
  {
    const std::lock_guard lock(mutex_);
    if (completed_.load(std::memory_order_relaxed) >= ticket || mark_after(ticket) != nullptr) return;
  }
  wait(ticket);  // while nothing that is pushed later can keep it waiting
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
    // Without our mutex: streams may wait for each other's work. Where only this GPU is lost, the other goes on.
    if (context_.is_lost() && !first.other->context_.is_lost()) {
      first.other->wait(first.other_ticket);
    } else {
      first.other->complete(first.other_ticket);
    }
    const std::lock_guard lock(mutex_);
    if (!owed_.empty() && owed_.front() == first) owed_.pop_front();
  }
}

// Of this stream's own entries, up to what another stream has to do first.
void cuda_stream::pay(std::uint64_t ticket) noexcept {
  while (!owed_.empty() && owed_.front().ticket <= ticket && owed_.front().other == nullptr) {
    const owed entry = owed_.front();
    owed_.pop_front();
    std::exception_ptr failed = entry.done(entry.context);
    if (failed) failures_.keep(entry.ticket, entry.context, std::move(failed));
  }
  const auto standing =
      std::find_if(marks_.begin(), marks_.end(), [&](const mark_point& each) { return each.ticket > ticket; });
  for (auto each = marks_.begin(); each != standing; ++each) passed_.push_back(std::move(each->event));
  marks_.erase(marks_.begin(), standing);
}

// Nothing runs on a lost context any more, so nothing is in use.
void cuda_stream::complete_lost() noexcept { complete(last_ticket()); }

std::uint64_t cuda_stream::passed() noexcept {
  const std::uint64_t submitted = submitted_.load(std::memory_order_relaxed);
  std::uint64_t reached = completed_.load(std::memory_order_relaxed);
  if (reached == submitted) return reached;
  const driver_table& driver = context_.driver();
  if (context_.try_call(driver.stream_query, handle_) == result::success) return submitted;
  for (const mark_point& each : marks_) {
    if (context_.try_call(driver.event_query, each.event->handle) != result::success) break;
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
  if (completed_.load(std::memory_order_acquire) != last_ticket()) look();
}

bool cuda_stream::is_done(std::uint64_t ticket) {
  if (completed_.load(std::memory_order_acquire) < ticket) look();
  return completed_.load(std::memory_order_acquire) >= ticket;
}

// Waits for an entry, or for some later one, and says which.
std::pair<result, std::uint64_t> cuda_stream::wait_past(std::uint64_t ticket) noexcept {
  const driver_table& driver = context_.driver();
  shared_event until;
  std::uint64_t reached = 0;
  {
    const std::lock_guard lock(mutex_);
    reached = submitted_.load(std::memory_order_relaxed);
    const mark_point* found = standing_mark(ticket);
    // An event costs more than to ask. For the last entry the stream itself will do.
    if (found == nullptr && ticket < reached) {
      if (context_.try_call(driver.stream_query, handle_) == result::success) return {result::success, reached};
      found = make_mark();
    }
    if (found != nullptr) {
      until = found->event;
      reached = found->ticket;
    }
  }
  result code = until != nullptr ? context_.try_call(driver.event_synchronize, until->handle)
                                 : context_.try_call(driver.stream_synchronize, handle_);
  if (code != result::success) code = context_.try_call(driver.stream_synchronize, handle_);  // one more try
  return {code, reached};
}

void cuda_stream::wait(std::uint64_t ticket) noexcept {
  while (completed_.load(std::memory_order_acquire) < ticket && !device().is_of_other_process()) {
    if (context_.is_lost()) return complete_lost();
    const auto [code, reached] = wait_past(ticket);
    if (code == result::success) {
      complete(reached);
    } else {
      context_.lose(code);  // waiting does not work, so nothing is known of the work
      complete_lost();
    }
  }
}

void cuda_stream::wait_for(const detail::event& before) {
  if (auto* other = dynamic_cast<cuda_stream*>(before.stream)) return wait_for_gpu(*other, before.ticket);
  context_.require_alive();
  if (!signals_.hold_until(handle_, before)) before.stream->wait(before.ticket);
}

// The other stream may be of another GPU.
void cuda_stream::wait_for_gpu(cuda_stream& other, std::uint64_t ticket) {
  bool has_event = false, is_owing = false;
  {
    // Under the other stream's lock alone, so that two streams may wait for each other's work at once.
    const std::lock_guard lock(other.mutex_);
    if (other.completed_.load(std::memory_order_relaxed) >= ticket) return;
    if (const mark_point* found = other.mark_after(ticket); found != nullptr) {
      context_.call(context_.driver().stream_wait_event, handle_, found->event->handle, 0u);
      has_event = true;
    }
    is_owing = !other.owed_.empty() && other.owed_.front().ticket <= ticket;
  }
  if (!has_event) return other.wait(ticket);
  if (!is_owing) return;
  const std::lock_guard lock(mutex_);
  owed_.push_back({submitted_.load(std::memory_order_relaxed) + 1, nullptr, nullptr, &other, ticket});
}

void cuda_stream::throw_failure(std::uint64_t first, std::uint64_t last, const void* context) {
  device().require_this_process();
  context_.require_alive();
  failures_.throw_one(first, last, context);
}

}  // namespace tilewright::cuda
