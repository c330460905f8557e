// SPDX-License-Identifier: Apache-2.0
// This machine's cores as a device: memory of the host, and images of the cpu back end or of the interpreter.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "runtime/device_engine.hpp"
#include "runtime/executor.hpp"
#include "runtime/host_stream.hpp"
#include "runtime/memory_pool.hpp"

namespace tilewright::detail {

class host_engine : public device_engine {
 public:
  host_engine(const char* name, compiler::target target)
      : device_engine(forks_at_first()), name_(name), target_(target) {}

  const char* name() const override { return name_; }
  compiler::target target() const override { return target_; }

  memory_block allocate(std::size_t size_bytes, first_use by) override { return allocate_from(pool_, size_bytes, by); }
  void free(std::byte* address, std::size_t size_bytes, const event& last_use) noexcept override {
    pool_.free(address, size_bytes, last_use);
  }
  memory_statistics memory() const override { return pool_.statistics(); }
  void release_cached_memory() noexcept override { pool_.release_cached(); }

  void copy_to_host(void* to, const std::byte* from, std::size_t size_bytes) override {
    if (size_bytes > 0) std::memcpy(to, from, size_bytes);
  }
  void copy_from_host(std::byte* to, const void* from, std::size_t size_bytes) override {
    if (size_bytes > 0) std::memcpy(to, from, size_bytes);
  }
  void fill(std::byte* to, const void* element, std::size_t element_bytes, std::size_t count) override {
    const std::size_t size = element_bytes * count;
    if (size == 0) return;
    std::memcpy(to, element, element_bytes);
    for (std::size_t done = element_bytes; done < size;) {  // doubling what is there
      const std::size_t step = std::min({done, size - done, std::size_t{1} << 16});
      std::memcpy(to + done, to, step);
      done += step;
    }
  }

  void run(const compiled_launch& launch, stream_queue&) override {
    if (launch.copy) return copy_elements(*launch.copy);
    runtime::parallel_blocks(compiler::host_of(*launch.image), launch.parameters.data(), launch.grid, launch.blocks,
                             launch.faults ? launch.faults->status.get() : nullptr, launch.in_turn);
  }

 protected:
  std::unique_ptr<stream_queue> make_stream() override { return std::make_unique<host_stream>(*this); }

 private:
  // The devices of the host share its worker threads.
  static unsigned forks_at_first() {
    static const unsigned count = counted_forks();
    return count;
  }

  const char* name_;
  compiler::target target_;
  memory_pool pool_;
};

}  // namespace tilewright::detail
