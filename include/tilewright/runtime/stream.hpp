// SPDX-License-Identifier: Apache-2.0
// Stream: an in-order queue of work on one device. Work of different streams may overlap. A handle: any thread may
// use it, and its work goes on when the last handle is gone.
#pragma once

#include <memory>

#include "tilewright/base/config.hpp"
#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright {

class TILEWRIGHT_API Stream {
 public:
  // Waits until everything enqueued so far is done. Throws the first failure that no op has delivered.
  void synchronize() const;
  bool operator==(const Stream& other) const { return queue_ == other.queue_; }

  // For the runtime itself.
  explicit Stream(std::shared_ptr<detail::stream_queue> queue) : queue_(std::move(queue)) {}
  detail::stream_queue& queue() const { return *queue_; }

 private:
  std::shared_ptr<detail::stream_queue> queue_;
};

}  // namespace tilewright
