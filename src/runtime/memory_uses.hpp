// SPDX-License-Identifier: Apache-2.0
// The order of uses of memory. A Tensor is of one thread, so its storage just notes the last launch. Memory that a
// graph writes has two masters, the handle and the graph, maybe on two threads: it has a guard, which every use takes.
#pragma once

#include <exception>
#include <mutex>
#include <span>

#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright::detail {

struct use_guard {
  std::mutex mutex;           // held while a use is put in order, and while the host reads or writes
  event last;                 // instead of storage::last_use
  use_guard* next = nullptr;  // of those that the same ordered_uses holds

  std::mutex failure_mutex;  // apart: work in flight fails while others wait for it under `mutex`
  std::exception_ptr failure;
};

// Gives the storage a guard; `since` is its last use when not noted in the storage. Only for memory with one handle,
// by the thread that has it.
void make_guard(storage* memory, const event& since);
// The contents are not what they should be: the next to read them is told why.
void note_failure(const storage* memory, const std::exception_ptr& failure) noexcept;

// Work on `memories` (each once, by address) that is about to be enqueued. Holds their guards; the memory has to live
// as long, the span does not.
class ordered_uses {
 public:
  // What comes next on the stream comes after the uses before.
  ordered_uses(std::span<storage* const> memories, stream_queue& stream);
  ordered_uses(const ordered_uses&) = delete;
  ordered_uses& operator=(const ordered_uses&) = delete;
  ~ordered_uses();

  void note(const event& use) const noexcept;  // of guarded memory

 private:
  use_guard* held_ = nullptr;
};

// The host reads or writes the memory, after what is in flight on it. Holds its guard.
class host_use {
 public:
  enum class kind : std::uint8_t { read, overwrite };
  host_use(const storage* memory, kind how);  // a read throws the failure that spoiled the contents
  host_use(const host_use&) = delete;
  host_use& operator=(const host_use&) = delete;

 private:
  std::unique_lock<std::mutex> held_;
};

// A launch holds its memory while it is in flight.
inline void retain_flight(storage* memory) noexcept { memory->flights.add_relaxed(1); }
void release_flight(storage* memory) noexcept;
// Notes the last use of a memory without a guard; who shares it notes it apart, and still has a handle.
void note_use(storage* memory, const event& use, bool is_only_handle) noexcept;

// What is pushed to `stream` next runs after `before`.
void wait_in_order(stream_queue& stream, const event& before);

}  // namespace tilewright::detail
