// SPDX-License-Identifier: Apache-2.0
// Where kernels of a GPU report a failed check: small places in pinned host memory that both sides see, used again and
// again. A place keeps its slots alive, so it may outlive whoever made it.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "runtime/cuda/gpu_context.hpp"
#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::cuda {

class status_slots : public std::enable_shared_from_this<status_slots> {
 public:
  explicit status_slots(gpu_context& context) : context_(context) {}
  status_slots(const status_slots&) = delete;
  status_slots& operator=(const status_slots&) = delete;
  ~status_slots();

  // Any thread. Throws out_of_memory, driver_error.
  std::shared_ptr<compiler::fault_status> make();
  // The same place as the GPU sees it.
  device_address address_of(const compiler::fault_status& status) const;

 private:
  static constexpr std::size_t slab_slots = 256;
  struct slab {
    compiler::fault_status* first;
    device_address address;
  };

  void add_slab();
  void give_back(compiler::fault_status* status) noexcept;

  gpu_context& context_;
  mutable std::mutex mutex_;
  std::vector<slab> slabs_;
  std::vector<compiler::fault_status*> free_;  // room for every slot, so that giving one back cannot fail
};

}  // namespace tilewright::cuda
