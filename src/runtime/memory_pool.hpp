// SPDX-License-Identifier: Apache-2.0
// Memory for tensors, re-used by size class and in the order of streams: a block comes back when nobody can use it in
// new work any more, maybe before its last use has passed. Every block starts at a multiple of 128 bytes.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "tilewright/runtime/detail/storage.hpp"
#include "tilewright/runtime/device.hpp"

namespace tilewright::detail {

// Where a pool takes its blocks from. It outlives the pool; calls come one at a time.
class block_source {
 public:
  virtual ~block_source() = default;
  // nullptr when there is no memory; throws for other trouble.
  virtual std::byte* take(std::size_t size_bytes) = 0;
  virtual void give_back(std::byte* address) noexcept = 0;
  virtual const char* place() const = 0;                 // "host memory"
  virtual std::size_t total_bytes() const noexcept = 0;  // 0: not known
};
block_source& host_blocks();

struct memory_block {
  std::byte* address = nullptr;
  event last_use;  // by whom it belonged to before: new uses come after it
};

class memory_pool {
 public:
  // Keeps freed blocks up to the most that was ever in use, or all until release_cached(): freeing may cost a lot.
  enum class keep { up_to_high_water, all };
  // What may still be at work on a block: for work of one stream that stream, or any; for the host nothing.
  enum class pending { none, of_stream, of_any };

  explicit memory_pool(block_source& source = host_blocks(), keep kept = keep::up_to_high_water)
      : source_(source), kept_(kept) {}
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;
  ~memory_pool();  // when all work has passed

  // From what is cached; else no address.
  memory_block take_cached(std::size_t size_bytes, const stream_queue* stream, pending allowed);
  // From the source too, for which it gives back what is cached and at rest. No address: there is no memory.
  memory_block take(std::size_t size_bytes, const stream_queue* stream, pending allowed);
  // `size_bytes` as given to take(). Looks at no stream, so an entry of a stream may call it.
  void free(std::byte* address, std::size_t size_bytes, const event& last_use) noexcept;

  // Waits for what is still at work on cached blocks.
  void wait_for_pending();
  // Throws out_of_memory with the sizes; `before` they were asked for.
  [[noreturn]] void refuse(std::size_t size_bytes, const memory_statistics& before) const;

  memory_statistics statistics() const;
  void release_cached() noexcept;  // of what is known to be at rest

 private:
  using block_list = std::vector<memory_block>;  // the one freed last at the end

  memory_block find(std::size_t size, const stream_queue* stream, pending allowed);
  memory_block found(block_list& of_size, block_list::iterator at, std::size_t size);
  void count(std::size_t size);
  void release_down_to(std::size_t size_bytes) noexcept;

  block_source& source_;
  const keep kept_;
  mutable std::mutex mutex_;
  std::map<std::size_t, block_list> cached_;  // by size class
  memory_statistics statistics_;
};

}  // namespace tilewright::detail
