// SPDX-License-Identifier: Apache-2.0
// PreparedLaunch: one launch that runs again and again with the same arguments. Everything was checked once; running
// it neither allocates nor locks.
#pragma once

#include "tilewright/runtime/detail/flights.hpp"
#include "tilewright/runtime/op.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

// Owns the arguments of its op until finish(). One thread at a time. A run in which a check fails loses its outputs
// until a later one writes them; sync() and finish() throw the fault while they are lost.
template <class R>
class TILEWRIGHT_OWNER TILEWRIGHT_MUST_USE("a PreparedLaunch runs by sync() or enqueue()") PreparedLaunch {
 public:
  PreparedLaunch(PreparedLaunch&& other) noexcept
      : node_(std::move(other.node_)), flights_(std::exchange(other.flights_, {})) {}
  PreparedLaunch& operator=(PreparedLaunch&& other) noexcept {
    settle();
    node_ = std::move(other.node_);
    flights_ = std::exchange(other.flights_, {});
    return *this;
  }
  ~PreparedLaunch() { settle(); }

  // Enqueues it on the calling thread's stream, behind what is there.
  void enqueue() { enqueue_on(detail::thread_stream(checked().device())); }
  void enqueue_on(const Stream& stream) { enqueue_on(stream.queue()); }
  // Enqueues it and waits until it is done. Throws what failed in any run that nobody waited for.
  void sync() {
    detail::stream_queue& stream = detail::thread_stream(checked().device());
    const detail::stream_scope scope(stream);
    enqueue_on(stream);
    flights_.wait();
    node_->require_no_fault();
  }
  // Waits for what was enqueued and gives the arguments back. Throws as sync() does.
  R finish() && {
    (void)checked();
    const detail::owned<op_node> node = std::move(node_);
    flights_.wait();
    node->require_no_fault();
    return node->take();
  }
  R finish() & = delete;

  // For the runtime itself.
  using op_node = detail::op_node<R>;
  explicit PreparedLaunch(detail::owned<op_node> node) : node_(std::move(node)) {}

 private:
  op_node& checked() {
    if (!node_) detail::refuse_second_run("PreparedLaunch");
    return *node_;
  }
  void enqueue_on(detail::stream_queue& stream) {
    op_node& node = checked();
    flights_.add(node.enqueue_again(stream, flights_.last()), node.context());
  }
  void settle() noexcept { detail::wait_quietly(flights_.last()); }

  detail::owned<op_node> node_;
  detail::flights flights_;
};

// prepare(kernel(arguments...)): a single launch, not a chain made by then().
template <class R>
PreparedLaunch<R> prepare(Op<R>&& op) {
  auto node = std::move(op).release();
  node->prepare();
  return PreparedLaunch<R>(std::move(node));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
