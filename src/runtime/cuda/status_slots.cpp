// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/status_slots.hpp"

#include <new>

namespace tilewright::cuda {

using compiler::fault_status;

status_slots::~status_slots() {
  for (void* slab : slabs_) (void)context_.try_call(context_.driver().host_free, slab);
}

void status_slots::add_slab() {
  free_.reserve((slabs_.size() + 1) * slab_slots);
  slabs_.reserve(slabs_.size() + 1);
  void* slab = nullptr;
  context_.call(context_.driver().host_allocate, &slab, slab_slots * sizeof(fault_status),
                host_memory_portable | host_memory_mapped);
  slabs_.push_back(slab);
  auto* first = static_cast<std::byte*>(slab);  // pinned memory starts at a page
  for (std::size_t i = 0; i < slab_slots; ++i) free_.push_back(new (first + i * sizeof(fault_status)) fault_status);
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

device_address status_slots::address_of(const fault_status& status) {
  device_address address = 0;
  // SAFETY: the driver only translates the address.
  context_.call(context_.driver().host_device_address, &address, const_cast<fault_status*>(&status), 0u);
  return address;
}

}  // namespace tilewright::cuda
