// SPDX-License-Identifier: Apache-2.0
#include "runtime/cuda/copies.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace tilewright::cuda {
namespace {

// Nothing of a failed copy may still be on its way when its caller goes on.
struct settled_on_failure {
  gpu_context& context;
  stream_handle stream;
  bool is_done = false;
  ~settled_on_failure() {
    if (!is_done) (void)context.try_call(context.driver().stream_synchronize, stream);
  }
};

// The element as one number of `Word`, if all its words are equal.
template <class Word>
bool repeats(const void* element, std::size_t element_bytes, Word& word) {
  if (element_bytes % sizeof(Word) != 0) return false;
  std::memcpy(&word, element, sizeof(Word));
  for (std::size_t at = sizeof(Word); at < element_bytes; at += sizeof(Word)) {
    if (std::memcmp(&word, static_cast<const std::byte*>(element) + at, sizeof(Word)) != 0) return false;
  }
  return true;
}

}  // namespace

copies::~copies() {
  const driver_table& driver = context_.driver();
  for (const lane& each : lanes_) {
    if (each.passed != nullptr) (void)context_.try_call(driver.event_destroy, each.passed);
    if (each.memory != nullptr) (void)context_.try_call(driver.host_free, each.memory);
  }
  if (stream_ != nullptr) (void)context_.try_call(driver.stream_destroy, stream_);
}

void copies::make_stream() {
  if (stream_ == nullptr) context_.call(context_.driver().stream_create, &stream_, stream_non_blocking);
}

bool copies::make_lanes() {
  const driver_table& driver = context_.driver();
  for (lane& each : lanes_) {
    if (each.passed == nullptr) context_.call(driver.event_create, &each.passed, event_disable_timing);
    if (each.memory != nullptr) continue;
    const result code = context_.try_call(driver.host_allocate, &each.memory, piece_bytes, host_memory_portable);
    if (code == result::out_of_memory) return false;
    if (code != result::success) refuse(driver, driver.host_allocate.name, code);
  }
  return true;
}

void copies::finish() { context_.call(context_.driver().stream_synchronize, stream_); }
void copies::wait_for(const lane& used) { context_.call(context_.driver().event_synchronize, used.passed); }

void copies::to_host(void* to, device_address from, std::size_t size_bytes) {
  if (size_bytes == 0) return;
  const std::lock_guard lock(mutex_);
  make_stream();
  settled_on_failure guard{context_, stream_};
  if (size_bytes >= least_staged_bytes && make_lanes()) {
    staged_to_host(static_cast<std::byte*>(to), from, size_bytes);
  } else {
    context_.call(context_.driver().copy_to_host, to, from, size_bytes, stream_);
    finish();
  }
  guard.is_done = true;
}

void copies::to_device(device_address to, const void* from, std::size_t size_bytes) {
  if (size_bytes == 0) return;
  const std::lock_guard lock(mutex_);
  make_stream();
  settled_on_failure guard{context_, stream_};
  if (size_bytes >= least_staged_bytes && make_lanes()) {
    staged_to_device(to, static_cast<const std::byte*>(from), size_bytes);
  } else {
    context_.call(context_.driver().copy_to_device, to, from, size_bytes, stream_);
  }
  finish();
  guard.is_done = true;
}

void copies::staged_to_device(device_address to, const std::byte* from, std::size_t size_bytes) {
  const driver_table& driver = context_.driver();
  for (std::size_t done = 0, turn = 0; done < size_bytes; done += piece_bytes, ++turn) {
    const lane& mine = lanes_[turn % 2];
    if (turn >= 2) wait_for(mine);
    const std::size_t here = std::min(piece_bytes, size_bytes - done);
    std::memcpy(mine.memory, from + done, here);
    context_.call(driver.copy_to_device, to + done, mine.memory, here, stream_);
    context_.call(driver.event_record, mine.passed, stream_);
  }
}

void copies::staged_to_host(std::byte* to, device_address from, std::size_t size_bytes) {
  const driver_table& driver = context_.driver();
  const std::size_t pieces = (size_bytes + piece_bytes - 1) / piece_bytes;
  const auto bytes_of = [&](std::size_t piece) { return std::min(piece_bytes, size_bytes - piece * piece_bytes); };
  // One piece is on its way while the one before is copied out.
  for (std::size_t piece = 0; piece <= pieces; ++piece) {
    if (piece < pieces) {
      const lane& mine = lanes_[piece % 2];
      context_.call(driver.copy_to_host, mine.memory, from + piece * piece_bytes, bytes_of(piece), stream_);
      context_.call(driver.event_record, mine.passed, stream_);
    }
    if (piece == 0) continue;
    const lane& before = lanes_[(piece - 1) % 2];
    wait_for(before);
    std::memcpy(to + (piece - 1) * piece_bytes, before.memory, bytes_of(piece - 1));
  }
}

void copies::fill(device_address to, const void* element, std::size_t element_bytes, std::size_t count) {
  const std::size_t size_bytes = element_bytes * count;
  if (size_bytes == 0) return;
  const std::lock_guard lock(mutex_);
  make_stream();
  settled_on_failure guard{context_, stream_};
  const driver_table& driver = context_.driver();
  std::uint8_t byte = 0;
  std::uint16_t half = 0;
  std::uint32_t word = 0;
  if (repeats(element, element_bytes, byte)) {
    context_.call(driver.set_bytes, to, byte, size_bytes, stream_);
  } else if (repeats(element, element_bytes, half)) {
    context_.call(driver.set_halves, to, half, size_bytes / sizeof half, stream_);
  } else if (repeats(element, element_bytes, word)) {
    context_.call(driver.set_words, to, word, size_bytes / sizeof word, stream_);
  } else {
    fill_by_doubling(to, element, element_bytes, count);
  }
  finish();
  guard.is_done = true;
}

void copies::fill_by_doubling(device_address to, const void* element, std::size_t element_bytes, std::size_t count) {
  const driver_table& driver = context_.driver();
  const std::size_t size_bytes = element_bytes * count;
  context_.call(driver.copy_to_device, to, element, element_bytes, stream_);
  for (std::size_t done = element_bytes; done < size_bytes;) {
    const std::size_t step = std::min(done, size_bytes - done);
    context_.call(driver.copy_on_device, to + done, to, step, stream_);
    done += step;
  }
}

}  // namespace tilewright::cuda
