// SPDX-License-Identifier: Apache-2.0
#include "runtime/device_engine.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "runtime/image_cache.hpp"
#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

// The streams of one thread, by device. They go back to their devices when the thread ends.
thread_local std::vector<std::pair<device_engine*, Stream>> streams_of_thread;

thread_local int lane_of_thread = -1;

}  // namespace

const runtime::compiled_kernel& device_engine::compile(const ast::module_view& module,
                                                       const compiler::specialization& special) {
  return runtime::image_cache::shared().get(module, special, target());
}

// The host reads and writes: the other device does the copy, or, of two others, one after the other.
void device_engine::copy(const memory_copy& what, stream_queue&) {
  if (what.to_device->is_on_host()) return what.from_device->copy_to_host(what.to, what.from, what.size_bytes);
  if (what.from_device->is_on_host()) return what.to_device->copy_from_host(what.to, what.from, what.size_bytes);
  constexpr std::size_t piece_bytes = std::size_t{16} << 20;
  std::vector<std::byte> piece(std::min(piece_bytes, what.size_bytes));
  for (std::size_t done = 0; done < what.size_bytes; done += piece_bytes) {
    const std::size_t here = std::min(piece_bytes, what.size_bytes - done);
    what.from_device->copy_to_host(piece.data(), what.from + done, here);
    what.to_device->copy_from_host(what.to + done, piece.data(), here);
  }
}

device_engine& copying_device(device_engine& to, device_engine& from) {
  if (to.is_on_host()) return to;
  if (from.is_on_host()) return from;
  return to.copies_from(from) ? to : cpu_engine();
}

void device_engine::refuse_fork() const {
  throw usage_error({.what = "a device does not survive a fork",
                     .where = std::string(name()) + " in process " + std::to_string(getpid()),
                     .expected = "the process that began to use the device",
                     .got = "a process forked from it",
                     .fix = "fork before the first use of a device, or start a new program"});
}

memory_block device_engine::allocate_from(memory_pool& pool, std::size_t size_bytes, first_use by) {
  require_this_process();
  const auto allowed = by == first_use::on_device ? memory_pool::pending::of_any : memory_pool::pending::none;
  const memory_statistics before = pool.statistics();
  memory_block block = pool.take(size_bytes, known_thread_stream(), allowed);
  if (block.address != nullptr) return block;
  each_stream([](stream_queue& stream) { stream.wait(stream.last_ticket()); });
  pool.wait_for_pending();
  block = pool.take(size_bytes, nullptr, allowed);
  if (block.address == nullptr) pool.refuse(size_bytes, before);
  return block;
}

Stream device_engine::new_stream() {
  require_this_process();
  const std::lock_guard lock(mutex_);
  if (unused_.empty()) {
    streams_.push_back(make_stream());
    unused_.reserve(streams_.size());  // so that giving one back cannot fail
    unused_.push_back(streams_.back().get());
  }
  stream_queue* stream = unused_.back();
  unused_.pop_back();
  return Stream(*stream);
}

Stream device_engine::shared_thread_stream() { return Stream(thread_stream()); }

stream_queue* device_engine::known_thread_stream() noexcept {
  for (const auto& [engine, stream] : streams_of_thread) {
    if (engine == this) return &stream.queue();
  }
  return nullptr;
}

void device_engine::set_lane_of_thread(int lane) noexcept { lane_of_thread = lane; }

// Never among the unused ones: a handle of it is held here.
stream_queue& device_engine::lane_stream(int lane) {
  {
    const std::lock_guard lock(mutex_);
    if (stream_queue* made = lane_streams_[static_cast<std::size_t>(lane)]; made != nullptr) return *made;
  }
  const Stream made = new_stream();
  retain(made.queue());
  const std::lock_guard lock(mutex_);
  return *(lane_streams_[static_cast<std::size_t>(lane)] = &made.queue());
}

stream_queue& device_engine::thread_stream() {
  require_this_process();
  if (lane_of_thread >= 0) return lane_stream(lane_of_thread);
  for (const auto& [engine, stream] : streams_of_thread) {
    if (engine == this) return stream.queue();
  }
  return streams_of_thread.emplace_back(this, new_stream()).second.queue();
}

void retain(stream_queue& queue) noexcept { queue.handles_.fetch_add(1, std::memory_order_relaxed); }
void release(stream_queue& queue) noexcept {
  if (queue.handles_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
  device_engine& device = queue.device();
  if (device.is_of_other_process()) return;
  const std::lock_guard lock(device.mutex_);
  device.unused_.push_back(&queue);
}

std::vector<stream_queue*> device_engine::all_streams() {
  const std::lock_guard lock(mutex_);
  std::vector<stream_queue*> all;
  for (const auto& stream : streams_) all.push_back(stream.get());
  return all;
}

void device_engine::destroy_streams() noexcept {
  for (stream_queue* stream : all_streams()) stream->wait(stream->last_ticket());
  const std::lock_guard lock(mutex_);
  unused_.clear();
  lane_streams_ = {};
  streams_.clear();
}

void device_engine::synchronize() {
  require_this_process();
  const std::vector<stream_queue*> all = all_streams();
  for (stream_queue* stream : all) stream->wait(stream->last_ticket());
  for (stream_queue* stream : all) stream->throw_failure(0, UINT64_MAX);
}

std::uint64_t device_engine::next_number() noexcept {
  static std::atomic<std::uint64_t> made{0};
  return made.fetch_add(1, std::memory_order_relaxed) + 1;
}

void device_engine::end_streams() noexcept {
  if (is_of_other_process()) return;
  const std::lock_guard lock(mutex_);
  for (const auto& stream : streams_) stream->wait(stream->last_ticket());
}

}  // namespace tilewright::detail
