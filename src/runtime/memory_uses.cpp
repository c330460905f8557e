// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_uses.hpp"

#include <memory>
#include <utility>

#include "runtime/device_engine.hpp"

namespace tilewright::detail {
namespace {

use_guard* guard_of(const storage* memory) noexcept { return memory->guard.load_acquire(); }

// A GPU's stream goes on without the host, which then might learn of a fault in another stream too late.
void wait_in_order(stream_queue& stream, const storage& memory, const event& before) {
  const bool is_other = before.stream != nullptr && before.stream != &stream;
  if (is_other && compiler::is_gpu(stream.device().target()) && memory.may_fault.load_relaxed()) {
    before.stream->wait(before.ticket);
  }
  detail::wait_in_order(stream, before);
}

void unlock(use_guard* first) noexcept {
  while (first != nullptr) std::exchange(first, first->next)->mutex.unlock();
}

}  // namespace

void wait_in_order(stream_queue& stream, const event& before) {
  if (before.stream == nullptr || before.stream == &stream || before.stream->is_done(before.ticket)) return;
  stream.wait_for(before);
}

void make_guard(storage* memory, const event& since) {
  if (guard_of(memory) != nullptr) return;
  auto made = std::make_unique<use_guard>();
  made->last = since.stream != nullptr ? since : memory->last_use;
  memory->guard.store_release(made.release());
}

void note_failure(const storage* memory, const std::exception_ptr& failure) noexcept {
  use_guard* guard = guard_of(memory);
  if (guard == nullptr) return;
  const std::lock_guard lock(guard->failure_mutex);
  guard->failure = failure;
}

void note_use(storage* memory, const event& use, bool is_only_handle) noexcept {
  if (is_only_handle) {
    memory->last_use = use;
    memory->shared_stream.store_relaxed(nullptr);  // what was shared before has passed, or is waited for
    memory->is_shared_by_streams.store_relaxed(false);
    return;
  }
  stream_queue* known = nullptr;
  if (!memory->shared_stream.replace_relaxed(known, use.stream) && known != use.stream) {
    memory->is_shared_by_streams.store_relaxed(true);
    return;
  }
  std::uint64_t last = memory->shared_ticket.load_relaxed();
  while (last < use.ticket && !memory->shared_ticket.replace_relaxed(last, use.ticket)) {
  }
}

ordered_uses::ordered_uses(std::span<storage* const> memories, stream_queue& stream) {
  stream.device().require_this_process();
  for (const storage* memory : memories) {
    use_guard* guard = guard_of(memory);
    if (guard == nullptr) continue;
    guard->mutex.lock();
    guard->next = held_;
    held_ = guard;
  }
  try {
    for (const storage* memory : memories) {
      const use_guard* guard = guard_of(memory);
      wait_in_order(stream, *memory, guard != nullptr ? guard->last : memory->last_use);
    }
  } catch (...) {
    unlock(held_);
    throw;
  }
}

ordered_uses::~ordered_uses() { unlock(held_); }

void ordered_uses::note(const event& use) const noexcept {
  for (use_guard* guard = held_; guard != nullptr; guard = guard->next) guard->last = use;
}

host_use::host_use(const storage* memory, kind how) {
  memory->device->require_this_process();
  use_guard* guard = guard_of(memory);
  if (guard != nullptr) held_ = std::unique_lock(guard->mutex);
  const event last = guard != nullptr ? guard->last : memory->last_use;
  if (last.stream != nullptr) last.stream->wait(last.ticket);
  if (guard == nullptr) return;
  std::exception_ptr failure;
  {
    const std::lock_guard lock(guard->failure_mutex);
    failure = std::exchange(guard->failure, nullptr);
  }
  if (failure && how == kind::read) std::rethrow_exception(failure);
}

}  // namespace tilewright::detail
