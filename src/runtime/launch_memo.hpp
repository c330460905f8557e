// SPDX-License-Identifier: Apache-2.0
// What a thread's last launches came to. Programs launch the same shapes again and again, and all that is bound,
// compiled and verified follows from shapes, alignments and scalars; so it is compared instead of worked out again.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/device_engine.hpp"
#include "runtime/image_cache.hpp"
#include "tilewright/compiler/specialization.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

struct bound_launch {
  const runtime::compiled_kernel* kernel = nullptr;  // of an image cache, which keeps it
  std::vector<index_t> grid;
  std::int64_t blocks = 0, in_turn = 1;  // as of compiled_launch
};

class launch_memo {
 public:
  // Null at the end of the thread, when its objects are destroyed: what launches then remembers nothing.
  static launch_memo* of_thread();

  // Kernels' modules live as long as the program. Null: not known.
  const bound_launch* find(const device_engine& device, const kernel_description& kernel,
                           const std::vector<compiler::argument>& values) const noexcept;
  const bound_launch& keep(const device_engine& device, const kernel_description& kernel,
                           const std::vector<compiler::argument>& values, bound_launch made);

 private:
  struct entry;
  struct deleter {
    void operator()(entry* gone) const noexcept;
  };
  static constexpr std::size_t entries = 64;  // two launches that fall together take turns

  std::array<std::unique_ptr<entry, deleter>, entries> entries_;
};

}  // namespace tilewright::detail
