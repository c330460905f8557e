// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/device.hpp"

#include "runtime/device_engine.hpp"

namespace tilewright {

const char* Device::name() const { return engine_->name(); }
compiler::target Device::target() const { return engine_->target(); }
Stream Device::thread_stream() const { return engine_->shared_thread_stream(); }
Stream Device::unused_stream() const { return engine_->new_stream(); }
void Device::wait_for_all() const { engine_->synchronize(); }
memory_statistics Device::memory() const { return engine_->memory(); }
void Device::release_cached_memory() const { engine_->release_cached_memory(); }

Device cpu_device() { return Device(detail::cpu_engine()); }
Device interp_device() { return Device(detail::interp_engine()); }
Device device() { return cuda_device_count() > 0 ? cuda_device() : cpu_device(); }

void Stream::wait() const {
  const std::uint64_t last = queue_->last_ticket();
  queue_->wait(last);
  queue_->throw_failure(0, last);
}

}  // namespace tilewright
