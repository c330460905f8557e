// SPDX-License-Identifier: Apache-2.0
// The memory behind tensors: one block of a device's pool with a count of owners. Handles own it while a user holds
// them, launches own it while they are in flight, so nothing is freed early.
#pragma once

#include <cstddef>
#include <exception>

#include "tilewright/base/config.hpp"
#include "tilewright/base/dtype.hpp"
#include "tilewright/runtime/detail/owned.hpp"
#include "tilewright/runtime/shape.hpp"

namespace tilewright::detail {

class device_engine;
class stream_queue;
struct use_guard;

// A point in the order of one stream. Streams live as long as the program, so the pointer stays valid.
struct event {
  stream_queue* stream = nullptr;  // none: passed long ago
  std::uint64_t ticket = 0;
};

struct storage {
  atomic_word<int> owners{1};
  int loans = 0;           // borrows of the tensor: of one thread by design
  bool is_lent = false;    // loans != 0, as a constant that the optimiser can follow
  bool is_orphan = false;  // its Tensor died while lent: the last loan frees it
  device_engine* device = nullptr;
  std::byte* address = nullptr;
  std::size_t size_bytes = 0;
  dtype element = dtype::f32;
  Shape shape;                             // of the tensor, row-major
  event last_use;                          // by a launch that held the only handle
  atomic_word<use_guard*> guard{nullptr};  // of memory that a graph uses: orders uses in place of last_use
  bool is_on_host = false;                 // of a HostBuffer: at an address of the host, whatever the device
  void (*give_back)(storage& memory) noexcept = nullptr;  // in place of the device's free()
  void* foreign = nullptr;                                // what give_back() hands to another library

  // What is here came of a launch in which a check failed: readers get the fault, until all of it is written anew. Like
  // the values, of who may read or write them.
  std::exception_ptr fault;
  atomic_word<bool> may_fault{false};  // a launch in flight may still set `fault`
};

// What a handle sees of a storage: position of element (i, j, ...) is first + i * strides[0] + j * strides[1] ...
struct layout {
  Shape extents;
  Shape strides;  // any sign
  index_t first = 0;
};

// Uninitialised. Throws usage_error for a negative extent, out_of_memory.
TILEWRIGHT_API storage* allocate(device_engine& device, dtype element, const Shape& shape);
TILEWRIGHT_API storage* allocate_on_host(device_engine& device, dtype element, const Shape& shape);
TILEWRIGHT_API void release(storage* memory) noexcept;  // one owner less; the last one frees
inline void retain(storage* memory) noexcept { memory->owners.add_relaxed(1); }

// After what is in flight on it.
TILEWRIGHT_API void read(storage* memory, const layout& from, void* values);  // row-major
TILEWRIGHT_API void write(storage* memory, const void* values);               // the whole storage
// Of a HostBuffer, to read or to write.
TILEWRIGHT_API void* host_address(storage* memory, bool is_written);
TILEWRIGHT_API void fill(storage* memory, const void* element);
TILEWRIGHT_API void fill_normal(storage* memory, std::uint64_t seed);
TILEWRIGHT_API void fill_iota(storage* memory);

// Gives the storage of a Tensor another shape of as many elements, else throws usage_error.
TILEWRIGHT_API void reshape_storage(storage* memory, const Shape& shape);

TILEWRIGHT_API layout dense_layout(const Shape& shape);
TILEWRIGHT_API bool is_row_major(const layout& seen);
// Each checks bounds and throws usage_error.
TILEWRIGHT_API layout slice_layout(const layout& whole, int axis, index_t begin, index_t end);
TILEWRIGHT_API layout strided_layout(const storage* memory, const layout& whole, const Shape& extents,
                                     const Shape& strides, index_t first);
TILEWRIGHT_API layout reshape_layout(const layout& whole, const Shape& extents);
TILEWRIGHT_API layout transpose_layout(const layout& whole);
TILEWRIGHT_API void require_split(const layout& whole, int axis, index_t index);
TILEWRIGHT_API index_t chunk_count(const layout& whole, int axis, index_t size);
TILEWRIGHT_API layout chunk_layout(const layout& whole, int axis, index_t size, index_t number);

[[noreturn]] TILEWRIGHT_API void refuse_use_after_give(const char* what);
[[noreturn]] TILEWRIGHT_API void refuse_move_while_lent();
TILEWRIGHT_API void require_count(const Shape& shape, std::size_t values);
[[noreturn]] TILEWRIGHT_API void refuse_unique(int owners);

}  // namespace tilewright::detail
