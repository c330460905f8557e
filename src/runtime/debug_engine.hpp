// SPDX-License-Identifier: Apache-2.0
// The engine of debug devices: memory of the host with a shadow that knows who wrote it, and launches on the
// interpreter with an observer.
#pragma once

#include <deque>
#include <mutex>

#include "compiler/debug/shadow_memory.hpp"
#include "runtime/host_engine.hpp"
#include "runtime/image_cache.hpp"
#include "tilewright/compiler/debug_report.hpp"

namespace tilewright::detail {

class debug_engine final : public host_engine {
 public:
  explicit debug_engine(const debug_options& options)
      : host_engine("debug", compiler::target::interp), options_(options) {}

  // Bound and checked, not simplified. Kept for as long as the engine.
  const runtime::compiled_kernel& compile(const ast::module_view& module,
                                          const compiler::specialization& special) override;

  // At rest: what earlier launches still write would be taken for writes of the new tensor.
  memory_block allocate(std::size_t size_bytes, first_use by) override;
  // The host writes there at any time.
  std::byte* allocate_on_host(std::size_t size_bytes) override {
    return host_engine::allocate(size_bytes, first_use::by_host).address;
  }
  void copy_from_host(std::byte* to, const void* from, std::size_t size_bytes) override;
  void fill(std::byte* to, const void* element, std::size_t element_bytes, std::size_t count) override;
  void copy(const memory_copy& what, stream_queue& stream) override;
  void run(const compiled_launch& launch, stream_queue& stream) override;

  debug_report take_report();

 private:
  struct kept_kernel {
    compiler::image_key key;
    const ast::module_view* module;
    runtime::compiled_kernel kernel;
  };

  const debug_options options_;
  compiler::debug::shadow_memory shadow_;
  std::mutex mutex_;  // of what follows
  std::deque<kept_kernel> kernels_;
  debug_report report_;
};

}  // namespace tilewright::detail
