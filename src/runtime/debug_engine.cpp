// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_engine.hpp"

#include <thread>
#include <utility>

#include "compiler/debug/debugger.hpp"
#include "compiler/interp/interp.hpp"
#include "runtime/scratch.hpp"
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/debug.hpp"

namespace tilewright {
namespace detail {

using compiler::debug::written;

const runtime::compiled_kernel& debug_engine::compile(const ast::module_view& module,
                                                      const compiler::specialization& special) {
  const compiler::image_key key = compiler::key_of(module, special, target());
  const std::lock_guard lock(mutex_);
  for (const kept_kernel& each : kernels_) {
    if (each.key == key && each.module == &module) return each.kernel;
  }
  compiler::program source = compiler::bind(module, special);
  compiler::check(source);
  auto image = std::make_shared<compiler::interp::interpreted_image>(source);
  return kernels_.emplace_back(kept_kernel{key, &module, {std::move(source), std::move(image)}}).kernel;
}

memory_block debug_engine::allocate(std::size_t size_bytes, first_use) {
  const memory_block block = host_engine::allocate(size_bytes, first_use::by_host);
  shadow_.allocate(block.address, size_bytes);
  return block;
}

void debug_engine::copy_from_host(std::byte* to, const void* from, std::size_t size_bytes) {
  host_engine::copy_from_host(to, from, size_bytes);
  shadow_.write(to, size_bytes, written::by_host);
}

void debug_engine::fill(std::byte* to, const void* element, std::size_t element_bytes, std::size_t count) {
  host_engine::fill(to, element, element_bytes, count);
  shadow_.write(to, element_bytes * count, written::by_host);
}

void debug_engine::copy(const memory_copy& what, stream_queue& stream) {
  host_engine::copy(what, stream);
  if (what.to_device == this) shadow_.write(what.to, what.size_bytes, written::by_host);
}

namespace {

// As copy_elements() walks it.
void note_copy(const element_copy& copy, compiler::debug::shadow_memory& shadow) {
  if (copy.run_bytes == 0) return;
  const index_t runs = runs_of(copy, copy.rank);
  for (index_t n = 0; n < runs; ++n) {
    index_t rest = n, to = 0, from = 0;
    for (auto axis = static_cast<std::size_t>(copy.rank); axis-- > 0; rest /= copy.extents[axis]) {
      to += rest % copy.extents[axis] * copy.to_steps[axis];
      from += rest % copy.extents[axis] * copy.from_steps[axis];
    }
    shadow.copy(copy.to + to, copy.from + from, copy.run_bytes);
  }
}

}  // namespace

void debug_engine::run(const compiled_launch& launch, stream_queue&) {
  if (launch.copy) {
    copy_elements(*launch.copy);
    return note_copy(*launch.copy, shadow_);
  }
  // SAFETY: compile() makes all images of the device, and they are of this type.
  const auto& image = static_cast<const compiler::interp::interpreted_image&>(*launch.image);
  std::byte* scratch = runtime::thread_scratch(image.scratch_bytes());
  if (scratch == nullptr) throw std::bad_alloc();
  compiler::debug::debugger watching(image.source(), options_, shadow_);
  image.run_observed(launch.parameters.data(), launch.grid, launch.blocks, scratch,
                     launch.faults ? launch.faults->status.get() : nullptr, watching);
  const std::lock_guard lock(mutex_);
  watching.finish(report_);
}

debug_report debug_engine::take_report() {
  each_stream([](stream_queue& stream) { stream.wait(stream.last_ticket()); });
  const std::lock_guard lock(mutex_);
  return std::exchange(report_, {});
}

namespace {

// All of them, never destroyed, as tensors of static storage may die after everything else.
class debug_engines {
 public:
  debug_engine& add(const debug_options& options) {
    const std::lock_guard lock(mutex_);
    return *all_.emplace_back(new debug_engine(options));
  }
  // On a thread of its own, as in host_engine.cpp.
  void end_streams() {
    std::thread([this] {
      for (debug_engine* each : all_) each->end_streams();
    }).join();
  }

 private:
  std::mutex mutex_;
  std::vector<debug_engine*> all_;
};

debug_engines& engines() {
  static auto* const made = new debug_engines();
  static const struct finisher {
    ~finisher() { made->end_streams(); }
  } at_exit;
  (void)at_exit;
  return *made;
}

}  // namespace
}  // namespace detail

Device debug_device(const debug_options& options) { return Device(detail::engines().add(options)); }

debug_report take_debug_report(const Device& device) {
  auto* const engine = dynamic_cast<detail::debug_engine*>(&device.engine());
  if (engine != nullptr) return engine->take_report();
  throw usage_error({.what = "a report is asked of a device that makes none",
                     .where = "take_debug_report()",
                     .expected = "a device of debug_device()",
                     .got = device.name(),
                     .fix = "run the host code on debug_device()"});
}

}  // namespace tilewright
