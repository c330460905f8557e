// SPDX-License-Identifier: Apache-2.0
// Memory for tensors, re-used by size class. Every block starts at a multiple of 128 bytes.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "tilewright/runtime/device.hpp"

namespace tilewright::detail {

// Where a pool takes its blocks from. It outlives the pool; calls come one at a time.
class block_source {
 public:
  virtual ~block_source() = default;
  // nullptr when there is no memory; throws for other trouble.
  virtual std::byte* take(std::size_t size_bytes) = 0;
  virtual void give_back(std::byte* address) noexcept = 0;
  virtual const char* place() const = 0;  // "host memory"
};
block_source& host_blocks();

class memory_pool {
 public:
  // Keeps freed blocks up to the most that was ever in use, or all until release_cached(): freeing may cost a lot.
  enum class keep { up_to_high_water, all };

  explicit memory_pool(block_source& source = host_blocks(), keep kept = keep::up_to_high_water)
      : source_(source), kept_(kept) {}
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;
  ~memory_pool();

  // Throws out_of_memory; the pool is then as before, but for its cache.
  std::byte* allocate(std::size_t size_bytes);
  // Only from what is cached; else nullptr.
  std::byte* allocate_cached(std::size_t size_bytes);
  // `size_bytes` as given to allocate().
  void free(std::byte* address, std::size_t size_bytes) noexcept;

  memory_statistics statistics() const;
  void release_cached() noexcept;

 private:
  std::byte* take_cached(std::size_t size);
  void count(std::size_t size);
  void release_cached_locked() noexcept;

  block_source& source_;
  const keep kept_;
  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<std::byte*>> cached_;  // by size class
  memory_statistics statistics_;
};

}  // namespace tilewright::detail
