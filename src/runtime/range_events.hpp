// SPDX-License-Identifier: Apache-2.0
// The places in streams that an op took, in the order in which it was enqueued.
#pragma once

#include "runtime/stream_queue.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

template <class Visit>
void each_event(const enqueued_range& range, Visit visit) {
  for (const event& each : range.earlier) {
    if (each.stream != nullptr) visit(each);
  }
  if (range.last.stream != nullptr) visit(range.last);
}

}  // namespace tilewright::detail
