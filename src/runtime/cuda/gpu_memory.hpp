// SPDX-License-Identifier: Apache-2.0
// Blocks of a GPU's memory for a pool. Apart from the pool: this is all that differs from host memory.
#pragma once

#include "runtime/cuda/gpu_context.hpp"
#include "runtime/memory_pool.hpp"

namespace tilewright::cuda {

class gpu_blocks final : public detail::block_source {
 public:
  explicit gpu_blocks(gpu_context& context) : context_(context), place_("memory of " + context.name()) {}

  std::byte* take(std::size_t size_bytes) override {
    device_address address = 0;
    const auto& allocate = context_.driver().memory_allocate;
    const result code = context_.try_call(allocate, &address, size_bytes);
    if (code == result::out_of_memory) return nullptr;
    if (code != result::success) refuse(context_.driver(), allocate.name, code);
    return pointer_of(address);
  }
  void give_back(std::byte* address) noexcept override {
    (void)context_.try_call(context_.driver().memory_free, address_of(address));  // fails only on a lost context
  }
  const char* place() const override { return place_.c_str(); }
  std::size_t total_bytes() const noexcept override { return context_.memory_bytes(); }

  // SAFETY: tensors hold addresses of any device as pointers; nobody follows one of a GPU on the host.
  static std::byte* pointer_of(device_address address) { return reinterpret_cast<std::byte*>(address); }
  static device_address address_of(const std::byte* pointer) { return reinterpret_cast<device_address>(pointer); }

 private:
  gpu_context& context_;
  std::string place_;
};

// Pinned memory of the host: the GPU reads and writes it by itself.
class pinned_blocks final : public detail::block_source {
 public:
  explicit pinned_blocks(gpu_context& context)
      : context_(context), place_("pinned host memory for " + context.name()) {}

  std::byte* take(std::size_t size_bytes) override {
    void* address = nullptr;
    const auto& allocate = context_.driver().host_allocate;
    const result code = context_.try_call(allocate, &address, size_bytes, host_memory_portable);
    if (code == result::out_of_memory) return nullptr;
    if (code != result::success) refuse(context_.driver(), allocate.name, code);
    return static_cast<std::byte*>(address);
  }
  void give_back(std::byte* address) noexcept override {
    (void)context_.try_call(context_.driver().host_free, address);  // fails only on a lost context
  }
  const char* place() const override { return place_.c_str(); }
  std::size_t total_bytes() const noexcept override { return 0; }  // the system does not say

 private:
  gpu_context& context_;
  std::string place_;
};

}  // namespace tilewright::cuda
