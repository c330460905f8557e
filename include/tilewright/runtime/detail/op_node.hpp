// SPDX-License-Identifier: Apache-2.0
// What an op is inside: work that can be enqueued once, and what it gives back. Launches, copies and combinations of
// ops are kinds of it.
#pragma once

#include <optional>
#include <utility>

#include "tilewright/runtime/detail/launch_plan.hpp"
#include "tilewright/runtime/detail/owned.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright::detail {

TILEWRIGHT_API void refuse_what_cannot_be_rehearsed();
[[noreturn]] TILEWRIGHT_API void refuse_to_prepare_a_chain();

// The part that does not depend on what the op gives.
class TILEWRIGHT_API op_work {
 public:
  constexpr op_work() = default;
  op_work(const op_work&) = delete;
  op_work& operator=(const op_work&) = delete;
  constexpr virtual ~op_work() = default;

  // Of a combination: of its first op. Until the work is enqueued.
  virtual device_engine& device() const = 0;
  virtual bool runs_on(const device_engine& device) const { return &this->device() == &device; }
  // Enqueues the work, once; ops of other devices than the stream's go to this thread's streams of those. `range` tells
  // what is in flight, also when this throws.
  virtual void enqueue(stream_queue& stream, enqueued_range& range) = 0;

  // For prepared launches: enqueue_again() any number of times, then take() once. A chain cannot do that.
  virtual event enqueue_again(stream_queue& stream, const event& before);
  virtual void require_no_fault();
  virtual const void* context() const;
};

template <class R>
class op_node : public op_work {
 public:
  // In place of enqueue() in a rehearsal.
  constexpr virtual void rehearse() { refuse_what_cannot_be_rehearsed(); }
  // Before the first enqueue_again(). Throws usage_error.
  constexpr void require_one_launch() const {
    if (!is_one_launch()) refuse_to_prepare_a_chain();
  }
  constexpr virtual bool is_one_launch() const { return false; }
  // What the op gives, once. For a mapped op when the work is done, else at any time after enqueue(), not computed yet.
  constexpr virtual R take() = 0;
  // After a failure: what can still be given back. Outputs of work that failed throw the failure when they are read.
  virtual std::optional<R> rescue() { return std::nullopt; }
};

template <class R, class Node, class... Given>
constexpr owned<op_node<R>> new_node(Given&&... given) {
  return owned<op_node<R>>(new Node(std::forward<Given>(given)...));
}

// On the chosen stream, or the calling thread's. Throws usage_error for a stream of another device.
TILEWRIGHT_API void start(op_work& work, stream_queue* chosen, enqueued_range& range);
// Waits too, and throws what failed.
TILEWRIGHT_API void run(op_work& work, stream_queue* chosen, enqueued_range& range);
TILEWRIGHT_API void wait_for_result(const enqueued_range& range);  // refused inside then()

// The stream for a part of a combination that goes to `preferred`.
TILEWRIGHT_API stream_queue& stream_of_part(const op_work& part, stream_queue& preferred);
// Makes `next` a part of `whole` when it ends, so that what is in flight is known also after a failure.
class TILEWRIGHT_API append_later {
 public:
  append_later(enqueued_range& whole, enqueued_range& next) : whole_(whole), next_(next) {}
  append_later(const append_later&) = delete;
  append_later& operator=(const append_later&) = delete;
  ~append_later();

 private:
  enqueued_range &whole_, &next_;
};
// Inside a capture nothing has run, so there is no result to work on.
TILEWRIGHT_API void require_results();

// Waits for what is in flight of a failed op; its failures are known.
TILEWRIGHT_API void settle_failed(const enqueued_range& range) noexcept;

template <class R>
std::optional<R> rescue(op_node<R>& node, const enqueued_range& range) {
  settle_failed(range);
  return node.rescue();
}

}  // namespace tilewright::detail

TILEWRIGHT_END_OWNERS
