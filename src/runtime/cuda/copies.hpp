// SPDX-License-Identifier: Apache-2.0
// Copies between host and GPU, complete when a call returns. Large ones go through two pinned buffers, so that the
// host's own copy and the transfer overlap. On a stream of their own; callers see to it that the memory is at rest.
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

#include "runtime/cuda/gpu_context.hpp"

namespace tilewright::cuda {

class copies {
 public:
  explicit copies(gpu_context& context) : context_(context) {}
  copies(const copies&) = delete;
  copies& operator=(const copies&) = delete;
  ~copies();

  // Each throws driver_error; any thread may call.
  void to_host(void* to, device_address from, std::size_t size_bytes);
  void to_device(device_address to, const void* from, std::size_t size_bytes);
  void fill(device_address to, const void* element, std::size_t element_bytes, std::size_t count);

 private:
  struct lane {
    void* memory = nullptr;  // piece_bytes of pinned host memory
    event_handle passed = nullptr;
  };
  static constexpr std::size_t piece_bytes = std::size_t{4} << 20;
  static constexpr std::size_t least_staged_bytes = std::size_t{256} << 10;  // less: the driver's own way is as fast

  void make_stream();
  bool make_lanes();  // false without pinned memory: slower, but no failure
  void finish();      // waits for the stream
  void wait_for(const lane& used);
  void staged_to_host(std::byte* to, device_address from, std::size_t size_bytes);
  void staged_to_device(device_address to, const std::byte* from, std::size_t size_bytes);
  void fill_by_doubling(device_address to, const void* element, std::size_t element_bytes, std::size_t count);

  gpu_context& context_;
  std::mutex mutex_;
  stream_handle stream_ = nullptr;
  std::array<lane, 2> lanes_;
};

}  // namespace tilewright::cuda
