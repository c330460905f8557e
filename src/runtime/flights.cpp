// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/detail/flights.hpp"

#include <utility>

#include "runtime/stream_queue.hpp"

namespace tilewright::detail {
namespace {

constexpr std::size_t most_ranges = 16;  // a graph that is changed again and again makes one for each change

}  // namespace

void flights::add(const event& made, const void* context) {
  last_ = made;
  for (enqueued_range& range : ranges_) {
    if (range.last.stream != made.stream || range.context != context) continue;
    range.last = made;
    return;
  }
  if (ranges_.size() >= most_ranges) {
    std::erase_if(ranges_, [this](enqueued_range& range) {
      if (!range.last.stream->is_done(range.last.ticket)) return false;
      look(range);
      return true;
    });
  }
  ranges_.push_back({made, made.ticket, context, {}});
}

void flights::look(enqueued_range& range) noexcept {
  try {
    detail::wait(range);
  } catch (...) {
    if (!failure_) failure_ = owned(new std::exception_ptr(std::current_exception()));
  }
}

void flights::wait() {
  for (enqueued_range& range : ranges_) look(range);
  ranges_.clear();
  if (const owned<std::exception_ptr> failed = std::move(failure_)) std::rethrow_exception(*failed);
}

}  // namespace tilewright::detail
