// SPDX-License-Identifier: Apache-2.0
// A GPU as a device of the runtime.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "runtime/cuda/copies.hpp"
#include "runtime/cuda/gpu_context.hpp"
#include "runtime/cuda/gpu_memory.hpp"
#include "runtime/cuda/host_signals.hpp"
#include "runtime/cuda/modules.hpp"
#include "runtime/cuda/status_slots.hpp"
#include "runtime/device_engine.hpp"
#include "runtime/memory_pool.hpp"

namespace tilewright::cuda {

class cuda_engine : public detail::device_engine {
 public:
  // Throws usage_error (no such device), driver_error; runtime_error when no images are made for this kind of GPU.
  cuda_engine(const driver_table& driver, int index);
  ~cuda_engine() override;

  gpu_context& context() { return context_; }

  const char* name() const override { return context_.name().c_str(); }
  compiler::target target() const override { return target_; }
  int cuda_index() const override { return context_.index(); }

  detail::memory_block allocate(std::size_t size_bytes, detail::first_use by) override {
    return allocate(pool_, size_bytes, by);
  }
  void free(std::byte* address, std::size_t size_bytes, const detail::event& last_use) noexcept override {
    pool_.free(address, size_bytes, last_use);
  }
  std::byte* allocate_on_host(std::size_t size_bytes) override {
    return allocate(pinned_, size_bytes, detail::first_use::by_host).address;
  }
  void free_on_host(std::byte* address, std::size_t size_bytes) noexcept override {
    pinned_.free(address, size_bytes, {});
  }
  memory_statistics memory() const override { return pool_.statistics(); }
  void release_cached_memory() noexcept override;

  void copy_to_host(void* to, const std::byte* from, std::size_t size_bytes) override;
  void copy_from_host(std::byte* to, const void* from, std::size_t size_bytes) override;
  void fill(std::byte* to, const void* element, std::size_t element_bytes, std::size_t count) override;
  bool is_on_host() const override { return false; }
  bool copies_from(device_engine& other) override;
  void copy(const detail::memory_copy& what, detail::stream_queue& stream) override;

  std::shared_ptr<compiler::fault_status> make_fault_status() override { return slots_->make(); }
  void prepare(detail::compiled_launch& launch) override;
  void run(const detail::compiled_launch& launch, detail::stream_queue& stream) override;
  std::unique_ptr<detail::device_graph> make_graph() override;

 protected:
  std::unique_ptr<detail::stream_queue> make_stream() override;

 private:
  detail::memory_block allocate(detail::memory_pool& pool, std::size_t size_bytes, detail::first_use by);

  gpu_context context_;
  const compiler::target target_;
  gpu_blocks blocks_;
  detail::memory_pool pool_;
  pinned_blocks pinned_blocks_;
  detail::memory_pool pinned_;
  modules modules_;
  copies copies_;
  host_signals signals_;
  std::mutex peers_mutex_;
  std::vector<std::pair<const cuda_engine*, bool>> peers_;  // those asked for, and whether this GPU reaches them
  std::shared_ptr<status_slots> slots_;
};

}  // namespace tilewright::cuda
