// SPDX-License-Identifier: Apache-2.0
// Host memory for tensors, re-used by size class. Every block starts at a multiple of 128 bytes.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <vector>

#include "tilewright/runtime/device.hpp"

namespace tilewright::detail {

class memory_pool {
 public:
  memory_pool() = default;
  memory_pool(const memory_pool&) = delete;
  memory_pool& operator=(const memory_pool&) = delete;
  ~memory_pool();

  // Throws out_of_memory; the pool is then as before, but for its cache.
  std::byte* allocate(std::size_t size_bytes);
  // `size_bytes` as given to allocate().
  void free(std::byte* address, std::size_t size_bytes) noexcept;

  memory_statistics statistics() const;
  void release_cached() noexcept;

 private:
  void release_cached_locked() noexcept;

  mutable std::mutex mutex_;
  std::map<std::size_t, std::vector<std::byte*>> cached_;  // by size class
  memory_statistics statistics_;
};

}  // namespace tilewright::detail
