// SPDX-License-Identifier: Apache-2.0
// The two devices of the host: one runs images of the cpu back end, one those of the interpreter.
#include <algorithm>
#include <cstring>
#include <thread>

#include "runtime/device_engine.hpp"
#include "runtime/executor.hpp"
#include "runtime/host_stream.hpp"
#include "runtime/memory_pool.hpp"

namespace tilewright::detail {
namespace {

class host_engine final : public device_engine {
 public:
  host_engine(const char* name, compiler::target target) : name_(name), target_(target) {}

  const char* name() const override { return name_; }
  compiler::target target() const override { return target_; }

  std::byte* allocate(std::size_t size_bytes) override { return pool_.allocate(size_bytes); }
  void free(std::byte* address, std::size_t size_bytes) noexcept override { pool_.free(address, size_bytes); }
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
                             launch.faults ? launch.faults->status.get() : nullptr);
  }

 protected:
  std::unique_ptr<stream_queue> make_stream() override { return std::make_unique<host_stream>(*this); }

 private:
  const char* name_;
  compiler::target target_;
  memory_pool pool_;
};

// Never destroyed: tensors of static storage may die after everything else. At the end of the program the work in
// flight is finished, so that nothing runs while the libraries below are taken down.
template <int Which>
device_engine& engine(const char* name, compiler::target target) {
  static device_engine* const made = new host_engine(name, target);
  runtime::executor::shared();  // throws for a bad setting now, not when work runs
  static const struct finisher {
    // On a thread of its own: this one's thread-local scratch is gone already.
    ~finisher() {
      std::thread([] { made->end_streams(); }).join();
    }
  } at_exit;
  (void)at_exit;
  return *made;
}

}  // namespace

device_engine& cpu_engine() {
  return engine<0>("cpu", compiler::has_cpu_target() ? compiler::target::cpu : compiler::target::interp);
}
device_engine& interp_engine() { return engine<1>("interp", compiler::target::interp); }

}  // namespace tilewright::detail
