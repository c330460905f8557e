// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory_pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <new>
#include <string>

#include "runtime/stream_queue.hpp"
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
  std::size_t total_bytes() const noexcept override {
    const long pages = sysconf(_SC_PHYS_PAGES), page_bytes = sysconf(_SC_PAGESIZE);
    return pages > 0 && page_bytes > 0 ? static_cast<std::size_t>(pages) * static_cast<std::size_t>(page_bytes) : 0;
  }
};

bool is_at_rest(const memory_block& block) noexcept {
  return block.last_use.stream == nullptr || block.last_use.stream->has_passed(block.last_use.ticket);
}

}  // namespace

block_source& host_blocks() {
  static host_block_source one;  // without state
  return one;
}

// Without a look at streams, which may be gone.
memory_pool::~memory_pool() {
  for (const auto& [size, blocks] : cached_) {
    for (const memory_block& each : blocks) source_.give_back(each.address);
  }
}

memory_block memory_pool::take_cached(std::size_t size_bytes, const stream_queue* stream, pending allowed) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > greatest_size) return {};
  const std::size_t size = size_class(size_bytes);
  const memory_block block = find(size, stream, allowed);
  if (block.address != nullptr) count(size);
  return block;
}

memory_block memory_pool::take(std::size_t size_bytes, const stream_queue* stream, pending allowed) {
  const std::lock_guard lock(mutex_);
  if (size_bytes > greatest_size) return {};
  const std::size_t size = size_class(size_bytes);
  memory_block block = find(size, stream, allowed);
  if (block.address == nullptr) block.address = source_.take(size);
  if (block.address == nullptr) {
    release_down_to(0);
    block.address = source_.take(size);
  }
  if (block.address != nullptr) count(size);
  return block;
}

// Best one that the stream itself has just left; then one at rest; then one that the stream would have to wait for.
memory_block memory_pool::find(std::size_t size, const stream_queue* stream, pending allowed) {
  const auto entry = cached_.find(size);
  if (entry == cached_.end() || entry->second.empty()) return {};
  block_list& of_size = entry->second;
  const auto is_of_stream = [&](const memory_block& each) { return each.last_use.stream == stream; };
  if (allowed != pending::none && stream != nullptr) {
    const auto last = std::find_if(of_size.rbegin(), of_size.rend(), is_of_stream);
    if (last != of_size.rend()) return found(of_size, std::prev(last.base()), size);
  }
  const auto resting = std::find_if(of_size.rbegin(), of_size.rend(), is_at_rest);
  if (resting != of_size.rend()) return found(of_size, std::prev(resting.base()), size);
  if (allowed == pending::of_any) return found(of_size, of_size.begin(), size);
  return {};
}

memory_block memory_pool::found(block_list& of_size, block_list::iterator at, std::size_t size) {
  const memory_block block = is_at_rest(*at) ? memory_block{at->address, {}} : *at;
  of_size.erase(at);
  statistics_.cached_bytes -= size;
  return block;
}

void memory_pool::count(std::size_t size) {
  statistics_.in_use_bytes += size;
  statistics_.high_water_bytes = std::max(statistics_.high_water_bytes, statistics_.in_use_bytes);
}

void memory_pool::free(std::byte* address, std::size_t size_bytes, const event& last_use) noexcept {
  const std::lock_guard lock(mutex_);
  const std::size_t size = size_class(size_bytes);
  statistics_.in_use_bytes -= size;
  try {
    cached_[size].push_back({address, last_use});
    statistics_.cached_bytes += size;
  } catch (const std::bad_alloc&) {
    if (is_at_rest({address, last_use})) source_.give_back(address);  // else it is lost: work still uses it
  }
  // What is kept and what is in use together stay under twice the most that was ever in use, but for what is in flight.
  if (kept_ == keep::up_to_high_water) release_down_to(statistics_.high_water_bytes);
}

void memory_pool::wait_for_pending() {
  std::vector<event> uses;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [size, blocks] : cached_) {
      for (const memory_block& each : blocks) {
        if (!is_at_rest(each)) uses.push_back(each.last_use);
      }
    }
  }
  for (const event& each : uses) each.stream->wait(each.ticket);
}

void memory_pool::refuse(std::size_t size_bytes, const memory_statistics& before) const {
  const std::size_t total = source_.total_bytes();
  throw out_of_memory({.what = "no memory for a tensor",
                       .where = source_.place(),
                       .expected = std::to_string(size_bytes) + " bytes",
                       .got = std::to_string(before.in_use_bytes) + " bytes are in use by other tensors, " +
                              std::to_string(before.cached_bytes) + " were cached and have been given back" +
                              (total != 0 ? ", of " + std::to_string(total) + " in all" : std::string()),
                       .fix = "free tensors, or use smaller ones"});
}

memory_statistics memory_pool::statistics() const {
  const std::lock_guard lock(mutex_);
  return statistics_;
}

void memory_pool::release_cached() noexcept {
  const std::lock_guard lock(mutex_);
  release_down_to(0);
}

void memory_pool::release_down_to(std::size_t size_bytes) noexcept {
  for (auto& [size, blocks] : cached_) {
    if (statistics_.cached_bytes <= size_bytes) return;
    std::erase_if(blocks, [&, bytes = size](const memory_block& each) {
      if (statistics_.cached_bytes <= size_bytes || !is_at_rest(each)) return false;
      source_.give_back(each.address);
      statistics_.cached_bytes -= bytes;
      return true;
    });
  }
}

}  // namespace tilewright::detail
