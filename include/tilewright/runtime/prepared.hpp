// SPDX-License-Identifier: Apache-2.0
// PreparedLaunch: one launch that runs again and again with the same arguments. Everything was checked once; running
// it neither allocates nor locks.
#pragma once

#include "tilewright/runtime/op.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

// Owns the arguments of its op until finish(). One thread at a time.
template <class R>
class [[nodiscard]] PreparedLaunch {
 public:
  PreparedLaunch(PreparedLaunch&& other) noexcept : node_(std::move(other.node_)), last_(other.last_) {
    other.last_ = {};
  }
  PreparedLaunch& operator=(PreparedLaunch&& other) noexcept {
    settle();
    node_ = std::move(other.node_);
    last_ = std::exchange(other.last_, {});
    return *this;
  }
  ~PreparedLaunch() { settle(); }

  // Enqueues it on the calling thread's stream, behind what is there.
  void enqueue() { enqueue_on(detail::thread_stream(checked().device())); }
  void enqueue_on(const Stream& stream) { enqueue_on(stream.queue()); }
  // Enqueues it and waits until it is done.
  void sync() {
    detail::stream_queue& stream = detail::thread_stream(checked().device());
    const detail::stream_scope scope(stream);
    enqueue_on(stream);
    detail::wait({last_, last_});
  }
  // Waits for what was enqueued and gives the arguments back.
  R finish() && {
    (void)checked();
    const std::unique_ptr<op_node> node = std::move(node_);
    const detail::event last = std::exchange(last_, {});
    if (last.stream != nullptr) detail::wait({last, last});
    return node->finish();
  }
  R finish() & = delete;

  // For the runtime itself.
  using op_node = detail::op_node<R>;
  explicit PreparedLaunch(std::unique_ptr<op_node> node) : node_(std::move(node)) {}

 private:
  op_node& checked() {
    if (node_ == nullptr) detail::refuse_second_run("PreparedLaunch");
    return *node_;
  }
  void enqueue_on(detail::stream_queue& stream) { last_ = checked().enqueue_again(stream, last_); }
  void settle() noexcept {
    detail::wait_quietly(last_);
    last_ = {};
  }

  std::unique_ptr<op_node> node_;
  detail::event last_;
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
