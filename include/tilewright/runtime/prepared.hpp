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
  constexpr PreparedLaunch(PreparedLaunch&& other) noexcept
      : node_(std::move(other.node_)), flights_(std::exchange(other.flights_, {})) {}
  constexpr PreparedLaunch& operator=(PreparedLaunch&& other) noexcept {
    settle();
    node_ = std::move(other.node_);
    flights_ = std::exchange(other.flights_, {});
    return *this;
  }
  constexpr ~PreparedLaunch() { settle(); }

  // Enqueues it on the calling thread's stream, behind what is there.
  constexpr void enqueue() {
    op_node& node = checked();
    if (detail::in_rehearsal()) return node.rehearse();
    enqueue_on(detail::thread_stream(node.device()));
  }
  constexpr void enqueue_on(const Stream& stream) {
    op_node& node = checked();
    if (detail::in_rehearsal()) return node.rehearse();
    enqueue_on(stream.queue());
  }
  // Enqueues it and waits until it is done. Throws what failed in any run that nobody waited for.
  constexpr void sync() {
    op_node& node = checked();
    if (detail::in_rehearsal()) return node.rehearse();
    run(node);
  }
  // Waits for what was enqueued and gives the arguments back. Throws as sync() does.
  constexpr R finish() && {
    (void)checked();
    const detail::owned<op_node> node = std::move(node_);
    if (!detail::in_rehearsal()) wait(*node);
    return node->take();
  }
  R finish() & = delete;

  // For the runtime itself.
  using op_node = detail::op_node<R>;
  constexpr explicit PreparedLaunch(detail::owned<op_node> node) : node_(std::move(node)) {}

 private:
  constexpr op_node& checked() {
    if (!node_) detail::refuse_second_run("PreparedLaunch");
    return *node_;
  }
  void enqueue_on(detail::stream_queue& stream) {
    flights_.add(node_->enqueue_again(stream, flights_.last()), node_->context());
  }
  void run(op_node& node) {
    detail::stream_queue& stream = detail::thread_stream(node.device());
    const detail::stream_scope scope(stream);
    enqueue_on(stream);
    wait(node);
  }
  void wait(op_node& node) {
    flights_.wait();
    node.require_no_fault();
  }
  constexpr void settle() noexcept {
    if (!detail::in_rehearsal()) detail::wait_quietly(flights_.last());
  }

  detail::owned<op_node> node_;
  detail::flights flights_;
};

// prepare(kernel(arguments...)): a single launch, not a chain made by then().
template <class R>
constexpr PreparedLaunch<R> prepare(Op<R>&& op) {
  auto node = std::move(op).release();
  node->require_one_launch();
  return PreparedLaunch<R>(std::move(node));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
