// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/status_slots.hpp"

#include <functional>
#include <new>

#include "tilewright/base/error.hpp"

namespace tilewright::cuda {

using compiler::fault_status;

status_slots::~status_slots() {
  for (const slab& each : slabs_) (void)context_.try_call(context_.driver().host_free, each.first);
}

void status_slots::add_slab() {
  const driver_table& driver = context_.driver();
  free_.reserve((slabs_.size() + 1) * slab_slots);
  slabs_.reserve(slabs_.size() + 1);
  void* memory = nullptr;
  context_.call(driver.host_allocate, &memory, slab_slots * sizeof(fault_status),
                host_memory_portable | host_memory_mapped);
  device_address address = 0;
  try {
    context_.call(driver.host_device_address, &address, memory, 0u);
  } catch (...) {
    (void)context_.try_call(driver.host_free, memory);
    throw;
  }
  auto* first = static_cast<fault_status*>(memory);  // pinned memory starts at a page
  slabs_.push_back({first, address});
  for (std::size_t i = 0; i < slab_slots; ++i) free_.push_back(new (first + i) fault_status);
}

std::shared_ptr<fault_status> status_slots::make() {
  fault_status* status = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) add_slab();
    status = free_.back();
    free_.pop_back();
  }
  *status = fault_status();
  return {status, [slots = shared_from_this()](fault_status* done) { slots->give_back(done); }};
}

void status_slots::give_back(fault_status* status) noexcept {
  const std::lock_guard lock(mutex_);
  free_.push_back(status);
}

device_address status_slots::address_of(const fault_status& status) const {
  const std::lock_guard lock(mutex_);
  for (const slab& each : slabs_) {
    if (std::less()(&status, each.first) || !std::less()(&status, each.first + slab_slots)) continue;
    return each.address + static_cast<device_address>(&status - each.first) * sizeof(fault_status);
  }
  require_internal(false, "a launch reports its checks in memory of its own device");
  return 0;
}

}  // namespace tilewright::cuda
