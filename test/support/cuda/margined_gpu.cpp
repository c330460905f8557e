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

  detail::memory_block allocate(std::size_t size_bytes, detail::first_use) override {
    std::byte* made = blocks_.take(std::max<std::size_t>(size_bytes, 1));
    require_internal(made != nullptr, "no memory for a test's tensor");
    return {made, {}};
  }
  // The driver waits for what still uses it.
  void free(std::byte* address, std::size_t, const detail::event&) noexcept override { blocks_.give_back(address); }

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
