// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "runtime/cuda/cuda_engine.hpp"
#include "support/margined_device.hpp"

namespace tilewright::test {
namespace {

// For compute-sanitizer, to which memory of a pool is all one: each tensor is an allocation of its own size, watched to
// the byte.
class watched_engine final : public cuda::cuda_engine {
 public:
  using cuda_engine::cuda_engine;

  std::byte* allocate(std::size_t size_bytes) override {
    std::byte* made = blocks_.take(std::max<std::size_t>(size_bytes, 1));
    require_internal(made != nullptr, "no memory for a test's tensor");
    return made;
  }
  void free(std::byte* address, std::size_t) noexcept override { blocks_.give_back(address); }

 private:
  cuda::gpu_blocks blocks_{context()};
};

template <class Engine>
detail::device_engine& made_once() {
  static auto* const made = new Engine(cuda::loaded_driver(), 0);
  return *made;
}

}  // namespace

detail::device_engine& margined_gpu() {
  return compiler::current_gpu_options().memcheck ? made_once<watched_engine>()
                                                  : made_once<margin_engine<cuda::cuda_engine>>();
}

}  // namespace tilewright::test
