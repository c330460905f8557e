// SPDX-License-Identifier: Apache-2.0
// Device: where tensors live and launches run. A handle: copy it freely, use it from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tilewright/base/dtype.hpp"
#include "tilewright/compiler/target.hpp"
#include "tilewright/runtime/shape.hpp"
#include "tilewright/runtime/stream.hpp"

namespace tilewright {

template <Element T>
class Tensor;
template <Element T>
class HostBuffer;

// Bytes of a device's pool.
struct memory_statistics {
  std::size_t in_use_bytes = 0;
  std::size_t high_water_bytes = 0;  // the most that was ever in use
  std::size_t cached_bytes = 0;      // freed by tensors, kept for the next ones
};

class TILEWRIGHT_API Device {
 public:
  const char* name() const;
  compiler::target target() const;  // what its images are made for
  constexpr bool operator==(const Device& other) const {
    return detail::in_rehearsal() ? rehearsed_ == other.rehearsed_ : engine_ == other.engine_;
  }

  // The calling thread's stream, which sync() and start() use.
  constexpr Stream stream() const { return detail::in_rehearsal() ? Stream() : thread_stream(); }
  // Another one, for work that may overlap.
  constexpr Stream new_stream() const { return detail::in_rehearsal() ? Stream() : unused_stream(); }
  // Waits until everything enqueued so far on every stream of the device is done.
  constexpr void synchronize() const {
    if (!detail::in_rehearsal()) wait_for_all();
  }

  memory_statistics memory() const;
  // Gives cached memory back to the system.
  void release_cached_memory() const;

  // Tensors; their sizes in elements. Throws usage_error (a negative extent), out_of_memory.
  template <Element T>
  constexpr Tensor<T> empty(const Shape& shape) const;  // uninitialised
  template <Element T>
  constexpr Tensor<T> zeros(const Shape& shape) const;
  template <Element T>
  constexpr Tensor<T> full(const Shape& shape, T value) const;
  // 0, 1, 2, ... in row-major order, converted to T.
  template <Element T>
  constexpr Tensor<T> iota(const Shape& shape) const;
  // Normally distributed, mean 0 and deviation 1; the same values for a seed everywhere. Floating elements only.
  template <Element T>
  constexpr Tensor<T> randn(const Shape& shape, std::uint64_t seed = 0) const;
  // Copies row-major values; their count must be the shape's.
  template <Element T>
  constexpr Tensor<T> from_host(const std::vector<T>& values, const Shape& shape) const;
  template <Element T>
  constexpr Tensor<T> from_host(std::span<const T> values, const Shape& shape) const;
  // Memory of the host to copy to and from, pinned for a GPU; uninitialised. Throws as a tensor does.
  template <Element T>
  constexpr HostBuffer<T> host_buffer(const Shape& shape) const;

  // For the runtime itself.
  explicit Device(detail::device_engine& engine) : engine_(&engine) {}
  constexpr explicit Device(const detail::rehearsed_device& device) : rehearsed_(&device) {}
  detail::device_engine& engine() const { return *engine_; }
  constexpr const detail::rehearsed_device& rehearsed() const { return *rehearsed_; }

 private:
  Stream thread_stream() const;
  Stream unused_stream() const;
  void wait_for_all() const;

  union {
    detail::device_engine* engine_;
    const detail::rehearsed_device* rehearsed_;  // in a rehearsal
  };
};

// Compiled kernels on this machine's cores; built without LLVM, the interpreter in the same place.
TILEWRIGHT_API Device cpu_device();
// The interpreter: obvious, slow, the oracle of the tests.
TILEWRIGHT_API Device interp_device();
// An NVIDIA GPU, counted as the driver does. Throws runtime_error that names what is missing; usage_error for an index
// that is none. The same index gives the same device.
TILEWRIGHT_API Device cuda_device(int index = 0);
// 0 without a driver.
TILEWRIGHT_API int cuda_device_count() noexcept;
// The best device present: the first GPU, else the CPU.
TILEWRIGHT_API Device device();

}  // namespace tilewright
