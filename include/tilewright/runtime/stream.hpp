// SPDX-License-Identifier: Apache-2.0
// Stream: an in-order queue of work on one device. Work of different streams may overlap. A handle: any thread may
// use it, and its work goes on when the last handle is gone.
#pragma once

#include <utility>

#include "tilewright/base/config.hpp"
#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright {

namespace detail {
// Handles of a stream; without any it goes back to its device, to be used again.
TILEWRIGHT_API void retain(stream_queue& queue) noexcept;
TILEWRIGHT_API void release(stream_queue& queue) noexcept;
}  // namespace detail

class TILEWRIGHT_API Stream {
 public:
  constexpr Stream(const Stream& other) noexcept : queue_(other.queue_) {
    if (queue_ != nullptr) detail::retain(*queue_);
  }
  constexpr Stream(Stream&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)) {}
  constexpr Stream& operator=(Stream other) noexcept {
    std::swap(queue_, other.queue_);
    return *this;
  }
  constexpr ~Stream() {
    if (queue_ != nullptr) detail::release(*queue_);
  }

  // Waits until everything enqueued so far is done. Throws the first failure that no op has delivered.
  constexpr void synchronize() const {
    if (!detail::in_rehearsal()) wait();
  }
  constexpr bool operator==(const Stream& other) const { return queue_ == other.queue_; }

  // For the runtime itself.
  explicit Stream(detail::stream_queue& queue) noexcept : queue_(&queue) { detail::retain(queue); }
  detail::stream_queue& queue() const { return *queue_; }

 private:
  friend class Device;

  constexpr Stream() noexcept = default;  // of a rehearsal, where work runs at once
  void wait() const;

  detail::stream_queue* queue_ = nullptr;
};

}  // namespace tilewright
