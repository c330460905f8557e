// SPDX-License-Identifier: Apache-2.0
// The memory behind tensors: one block of a device's pool with a count of owners. Handles own it while a user holds
// them, launches own it while they are in flight, so nothing is freed early.
#pragma once

#include <cstddef>
#include <exception>

#include "tilewright/base/config.hpp"
#include "tilewright/base/dtype.hpp"
#include "tilewright/runtime/detail/layout.hpp"
#include "tilewright/runtime/detail/owned.hpp"
#include "tilewright/runtime/shape.hpp"

namespace tilewright::detail {

class device_engine;
class stream_queue;
struct loan_record;
struct use_guard;

// A point in the order of one stream. Streams live as long as the program, so the pointer stays valid.
struct event {
  stream_queue* stream = nullptr;  // none: passed long ago
  std::uint64_t ticket = 0;
};

struct rehearsed_device;
// What a rehearsal knows of the thread beside its tensors.
struct rehearsed_thread {
  const rehearsed_device* captured = nullptr;  // whose launches are recorded
  int recorded = 0;
};
struct rehearsed_device {
  rehearsed_thread* thread = nullptr;  // none: captures are not followed
};

// Of a HostBuffer in a rehearsal.
class rehearsed_values {
 public:
  constexpr rehearsed_values() = default;
  rehearsed_values(const rehearsed_values&) = delete;
  rehearsed_values& operator=(const rehearsed_values&) = delete;
  constexpr virtual ~rehearsed_values() = default;
};

// An output that a launch with loans gave back, while the launch is there. One of the two says that it is not any more.
struct fresh_output {
  struct ownership* memory = nullptr;
  bool was_touched = false, was_dropped = false;
};

// What handles look at. A rehearsal has nothing else behind its tensors.
struct ownership {
  atomic_word<int> owners{1};      // handles
  atomic_word<int> flights{1};     // launches in flight, and one for all handles together
  int loans = 0;                   // borrows of the tensor: of one thread by design
  bool is_lent = false;            // loans != 0, as a constant that the optimiser can follow
  bool is_orphan = false;          // its Tensor died while lent: the last loan frees it
  bool is_pending = false;         // of a rehearsal: given to the function of a then(), so not computed yet
  Shape shape;                     // of the tensor, row-major
  loan_record* records = nullptr;  // of the loans to readers and writers, see loans.hpp
  fresh_output* fresh = nullptr;   // none once somebody touched it
  const rehearsed_device* rehearsed = nullptr;  // this and the next in a rehearsal
  rehearsed_values* values = nullptr;
};

struct storage : ownership {
  device_engine* device = nullptr;
  std::byte* address = nullptr;
  std::size_t size_bytes = 0;
  dtype element = dtype::f32;
  event last_use;                          // by a launch that held the only handle
  atomic_word<use_guard*> guard{nullptr};  // of memory that a graph uses: orders uses in place of last_use
  bool is_on_host = false;                 // of a HostBuffer: at an address of the host, whatever the device
  void (*give_back)(storage& memory) noexcept = nullptr;  // in place of the device's free()
  void* foreign = nullptr;                                // what give_back() hands to another library
  // Later uses by launches that share the memory: the stream, if it is one, and its last ticket.
  atomic_word<stream_queue*> shared_stream{nullptr};
  atomic_word<std::uint64_t> shared_ticket{0};
  atomic_word<bool> is_shared_by_streams{false};
  bool is_handed_over = false;  // to the pool, before the last launch in flight was done

  // What is here came of a launch in which a check failed: readers get the fault, until all of it is written anew. Like
  // the values, of who may read or write them.
  std::exception_ptr fault;
  atomic_word<bool> may_fault{false};  // a launch in flight may still set `fault`
};

// Misuse: each throws usage_error.
[[noreturn]] TILEWRIGHT_API void refuse_use_after_give(const char* what);
[[noreturn]] TILEWRIGHT_API void refuse_move_while_lent();
[[noreturn]] TILEWRIGHT_API void refuse_read_while_lent_to_a_writer();
[[noreturn]] TILEWRIGHT_API void refuse_launch_while_lent_to_others();
[[noreturn]] TILEWRIGHT_API void refuse_count(const Shape& shape, std::size_t values);
[[noreturn]] TILEWRIGHT_API void refuse_negative_extent(const Shape& shape, int axis);
[[noreturn]] TILEWRIGHT_API void refuse_read_of_what_is_not_computed_yet();  // this and the next in a rehearsal
[[noreturn]] TILEWRIGHT_API void refuse_host_at_work_inside_a_capture();
[[noreturn]] TILEWRIGHT_API void refuse_unique(int owners);

// Who uses new memory first: work of the thread's stream, which may get memory that earlier work of it still uses, or
// the host.
enum class first_use { on_device, by_host };
// Uninitialised. Throws usage_error for a negative extent, out_of_memory.
TILEWRIGHT_API storage* allocate(device_engine& device, dtype element, const Shape& shape,
                                 first_use by = first_use::on_device);
TILEWRIGHT_API storage* allocate_on_host(device_engine& device, dtype element, const Shape& shape);
// One handle less. After the last one the memory goes to later work, in the order of streams.
TILEWRIGHT_API void release(storage* memory) noexcept;
constexpr void retain(ownership* memory) noexcept { memory->owners.add_relaxed(1); }
constexpr void release(ownership* memory) noexcept {
  if (in_rehearsal()) {
    if (memory->owners.subtract_acquire_release(1) != 1) return;
    delete memory->values;
    delete memory;
  } else {
    release(static_cast<storage*>(memory));
  }
}

// Of a handle that is used, or moved: somebody has it.
[[gnu::always_inline]] constexpr void touch(ownership* memory) {
  if (memory->fresh == nullptr) return;
  memory->fresh->was_touched = true;  // not its pointer: the optimiser would forget what handles hold
  memory->fresh = nullptr;
}
constexpr void require_extents(const Shape& shape) {
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] < 0) refuse_negative_extent(shape, axis);
  }
}
// Where the host reads or writes elements.
constexpr void rehearse_host_use(const rehearsed_device& device) {
  if (device.thread != nullptr && device.thread->captured == &device) refuse_host_at_work_inside_a_capture();
}
constexpr ownership* rehearse_allocation(const rehearsed_device& device, const Shape& shape) {
  require_extents(shape);
  ownership* made = new ownership;
  made->rehearsed = &device;
  made->shape = shape;
  return made;
}

// After what is in flight on it.
TILEWRIGHT_API void read(storage* memory, const layout& from, void* values);  // row-major
TILEWRIGHT_API void write(storage* memory, const void* values);               // the whole storage
// Of a HostBuffer, to read or to write.
TILEWRIGHT_API void* host_address(storage* memory, bool is_written);
TILEWRIGHT_API void fill(storage* memory, const void* element);
TILEWRIGHT_API void fill_normal(storage* memory, std::uint64_t seed);
TILEWRIGHT_API void fill_iota(storage* memory);

}  // namespace tilewright::detail
