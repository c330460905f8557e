// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <string>

#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t alignment = 128;
constexpr std::size_t greatest_size = std::size_t{1} << 62;

// Steps of an eighth of a power of two: at most an eighth of a block is lost.
std::size_t size_class(std::size_t size_bytes) {
  if (size_bytes <= 8 * alignment) return std::max(alignment, (size_bytes + alignment - 1) / alignment * alignment);
  const std::size_t step = std::max(alignment, std::bit_floor(size_bytes) / 8);
  return (size_bytes + step - 1) / step * step;
}

// Large blocks in pages of 2 MiB where the system has them: a stream of loads then misses the TLB 512 times less.
constexpr std::size_t large_page = std::size_t{1} << 21;

class host_block_source final : public block_source {
 public:
  std::byte* take(std::size_t size) override {
    if (size < 2 * large_page) return static_cast<std::byte*>(std::aligned_alloc(alignment, size));
    void* memory = nullptr;
    if (posix_memalign(&memory, large_page, size) != 0) return nullptr;
    (void)madvise(memory, size, MADV_HUGEPAGE);  // a wish; small pages do as well
    return static_cast<std::byte*>(memory);
  }
  void give_back(std::byte* address) noexcept override { std::free(address); }
  const char* place() const override { return "host memory"; }
};

[[noreturn]] void refuse(const block_source& source, std::size_t size_bytes, const memory_statistics& now) {
  throw out_of_memory({.what = "no memory for a tensor",
                       .where = source.place(),
                       .expected = std::to_string(size_bytes) + " bytes",
                       .got = std::to_string(now.in_use_bytes) + " bytes are in use by other tensors",
                       .fix = "free tensors, or use smaller ones"});
}

}  // namespace

block_source& host_blocks() {
  static host_block_source one;  // without state
  return one;
}

memory_pool::~memory_pool() { release_cached(); }

std::byte* memory_pool::allocate(std::size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > greatest_size) refuse(source_, size_bytes, statistics_);
  const std::size_t size = size_class(size_bytes);
  std::byte* address = take_cached(size);
  if (address == nullptr) address = source_.take(size);
  if (address == nullptr) {
    release_cached_locked();
    address = source_.take(size);
  }
  if (address == nullptr) refuse(source_, size_bytes, statistics_);
  count(size);
  return address;
}

std::byte* memory_pool::allocate_cached(std::size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > greatest_size) return nullptr;
  const std::size_t size = size_class(size_bytes);
  std::byte* address = take_cached(size);
  if (address != nullptr) count(size);
  return address;
}

std::byte* memory_pool::take_cached(std::size_t size) {
  const auto found = cached_.find(size);
  if (found == cached_.end() || found->second.empty()) return nullptr;
  std::byte* address = found->second.back();
  found->second.pop_back();
  statistics_.cached_bytes -= size;
  return address;
}

void memory_pool::count(std::size_t size) {
  statistics_.in_use_bytes += size;
  statistics_.high_water_bytes = std::max(statistics_.high_water_bytes, statistics_.in_use_bytes);
}

void memory_pool::free(std::byte* address, std::size_t size_bytes) noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t size = size_class(size_bytes);
  statistics_.in_use_bytes -= size;
  // What is kept and what is in use together stay under twice the most that was ever in use.
  const bool is_limited = kept_ == keep::up_to_high_water;
  if (is_limited && statistics_.cached_bytes + size > statistics_.high_water_bytes) {
    source_.give_back(address);
    return;
  }
  try {
    cached_[size].push_back(address);
    statistics_.cached_bytes += size;
  } catch (const std::bad_alloc&) {
    source_.give_back(address);
  }
}

memory_statistics memory_pool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void memory_pool::release_cached() noexcept {
  const std::lock_guard lock(mutex_);
  release_cached_locked();
}

void memory_pool::release_cached_locked() noexcept {
  for (auto& [size, blocks] : cached_) {
    for (std::byte* address : blocks) source_.give_back(address);
    blocks.clear();
  }
  statistics_.cached_bytes = 0;
}

}  // namespace tilewright::detail
