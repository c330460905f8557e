// SPDX-License-Identifier: Apache-2.0
// Op: work that has been checked but not started. It owns its arguments and gives them back; it runs exactly once.
#pragma once

#include <concepts>
#include <exception>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tilewright/runtime/detail/launch_plan.hpp"
#include "tilewright/runtime/misuse.hpp"
#include "tilewright/runtime/tensor.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

template <class R>
class Op;

namespace detail {

template <class R>
class op_node {
 public:
  op_node() = default;
  op_node(const op_node&) = delete;
  op_node& operator=(const op_node&) = delete;
  virtual ~op_node() = default;
  virtual device_engine& device() const = 0;
  // Enqueues the work and gives the arguments, whose contents are still to be computed.
  virtual R enqueue(stream_queue& stream, enqueued_range& range) = 0;

  // For prepared launches: enqueue_again() any number of times, then finish() once. A chain cannot do that.
  virtual void prepare() { refuse_prepare(); }
  virtual event enqueue_again(stream_queue&, const event&) { refuse_prepare(); }
  virtual void require_no_fault() { refuse_prepare(); }
  virtual const void* context() const { refuse_prepare(); }
  virtual R finish() { refuse_prepare(); }
};

template <class R, class Node, class... Given>
owned<op_node<R>> new_node(Given&&... given) {
  return owned<op_node<R>>(new Node(std::forward<Given>(given)...));
}

template <class T>
inline constexpr bool is_op = false;
template <class R>
inline constexpr bool is_op<Op<R>> = true;

template <class R, class F, class... Owned>
class then_node;

}  // namespace detail

// What start() gives: work in flight, with the arguments it will give back.
template <class R>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("wait() for what is in flight") InFlight {
 public:
  InFlight(InFlight&& other) noexcept : result_(std::move(other.result_)), range_(std::move(other.range_)) {
    other.result_.reset();
  }
  InFlight& operator=(InFlight&& other) noexcept TILEWRIGHT_RENEWS {
    std::optional<R> taken = std::exchange(other.result_, std::nullopt);
    drop();
    if (taken) result_.emplace(std::move(*taken));
    range_ = std::move(other.range_);
    return *this;
  }
  ~InFlight() TILEWRIGHT_WANTS_SPENT { drop(); }

  // Waits and gives the arguments back. Throws what failed in the work; they are lost then.
  R wait() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    if (!result_) detail::refuse_second_run("InFlight");
    detail::require_outside_then("wait()");
    R result = std::move(*result_);
    result_.reset();
    detail::wait(range_);
    return result;
  }
  R wait() & = delete;
  // Gives the arguments up; their memory is freed when the work is done. A failure reaches Stream::synchronize().
  void detach() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { result_.reset(); }
  void detach() & = delete;

 private:
  friend class Op<R>;
  InFlight(R&& result, detail::enqueued_range&& range) : result_(std::move(result)), range_(std::move(range)) {}

  void drop() noexcept {
    if (result_) detail::report_misuse("an InFlight was dropped; call wait(), or detach() to let it go on alone");
    result_.reset();
  }

  std::optional<R> result_;
  detail::enqueued_range range_;
};

template <class R>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("an Op does nothing until it is run: sync(), start() or then()") Op {
 public:
  using output = R;

  [[gnu::always_inline]] Op(Op&& other) : node_(other.take()) {}
  [[gnu::always_inline]] Op& operator=(Op&& other) TILEWRIGHT_RENEWS {
    detail::op_node<R>* taken = other.take();
    drop();
    node_ = taken;
    return *this;
  }
  [[gnu::always_inline]] ~Op() TILEWRIGHT_WANTS_SPENT { drop(); }

  // Runs it on the calling thread's stream, waits, and gives the arguments back, in the parameters' order: a Tensor
  // for each Partition, Tensor or Shared as given; nothing for scalars.
  [[gnu::always_inline]] R sync() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { return run(take(), nullptr); }
  [[gnu::always_inline]] R sync_on(const Stream& stream) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return run(take(), &stream.queue());
  }
  // Enqueues it and returns at once.
  [[gnu::always_inline]] InFlight<R> start() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { return begin(take(), nullptr); }
  [[gnu::always_inline]] InFlight<R> start_on(const Stream& stream) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return begin(take(), &stream.queue());
  }
  // One op after the other: f(arguments of this one, owned...) gives the next Op when this one is enqueued, so its
  // tensors are not computed yet and cannot be read. f must not capture: state goes through `owned`, by value.
  template <class F, class... Owned>
      [[gnu::always_inline]] auto then(F, Owned... owned) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS;
  // Gives the work up.
  [[gnu::always_inline]] void discard() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { delete take(); }

  R sync() & = delete;
  R sync_on(const Stream&) & = delete;
  InFlight<R> start() & = delete;
  InFlight<R> start_on(const Stream&) & = delete;
  template <class... Any>
  void then(Any&&...) & = delete;
  void discard() & = delete;

  // For the runtime itself.
  [[gnu::always_inline]] explicit Op(detail::owned<detail::op_node<R>> node) : node_(node.release()) {}
  [[gnu::always_inline]] detail::owned<detail::op_node<R>> release() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return detail::owned<detail::op_node<R>>(take());
  }

 private:
  [[gnu::always_inline]] detail::op_node<R>* take() {
    TILEWRIGHT_REFUSE_IF(node_ == nullptr, diagnostics::error_use_after_give);
    if (node_ == nullptr) detail::refuse_second_run("Op");
    detail::op_node<R>* node = node_;
    node_ = nullptr;
    return node;
  }
  [[gnu::always_inline]] void drop() noexcept {
    if (node_ == nullptr) return;
    delete node_;
    node_ = nullptr;
    detail::report_misuse("an Op was destroyed without having run; run it, or call discard()");
  }
  // On the thread's own stream where none is chosen; making that may fail, when the node is owned already.
  static detail::stream_queue& stream_for(const detail::op_node<R>& node, detail::stream_queue* chosen) {
    return chosen != nullptr ? *chosen : detail::thread_stream(node.device());
  }
  static R run(detail::op_node<R>* taken, detail::stream_queue* chosen) {
    const detail::owned<detail::op_node<R>> node(taken);
    detail::require_outside_then("sync()");
    detail::stream_queue& stream = stream_for(*node, chosen);
    const detail::stream_scope scope(stream);
    detail::enqueued_range range;
    R result = node->enqueue(stream, range);
    detail::wait(range);
    return result;
  }
  static InFlight<R> begin(detail::op_node<R>* taken, detail::stream_queue* chosen) {
    const detail::owned<detail::op_node<R>> node(taken);
    detail::stream_queue& stream = stream_for(*node, chosen);
    detail::enqueued_range range;
    R result = node->enqueue(stream, range);
    return InFlight<R>(std::move(result), std::move(range));
  }

  detail::op_node<R>* node_;
};

namespace detail {

template <class R, class F, class... Owned>
class then_node final : public op_node<typename std::invoke_result_t<F, R, Owned...>::output> {
  using result = typename std::invoke_result_t<F, R, Owned...>::output;

 public:
  then_node(owned<op_node<R>> first, Owned... owned) : first_(std::move(first)), owned_(std::move(owned)...) {}
  device_engine& device() const override { return first_->device(); }
  result enqueue(stream_queue& stream, enqueued_range& range) override {
    const device_engine& here = first_->device();  // an op that was enqueued is spent
    R given = first_->enqueue(stream, range);
    owned<op_node<result>> next = [&] {
      const enqueue_scope scope;
      return std::apply([&](Owned&... owned) { return F{}(std::move(given), std::move(owned)...).release(); }, owned_);
    }();
    require_same_device(here, next->device());
    enqueued_range rest;
    result last = next->enqueue(stream, rest);
    range.earlier.push_back(range.last.ticket);
    range.earlier.insert(range.earlier.end(), rest.earlier.begin(), rest.earlier.end());
    range.last = rest.last;
    return last;
  }

 private:
  owned<op_node<R>> first_;
  std::tuple<Owned...> owned_;
};

}  // namespace detail

template <class R>
template <class F, class... Owned>
inline auto Op<R>::then(F, Owned... owned) && {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "then(f, owned...): f must not capture; pass owned state as further arguments");
  static_assert(((!std::is_pointer_v<Owned>)&&... && true),
                "then(f, owned...): a pointer could dangle when f runs; pass the value itself");
  using next = std::invoke_result_t<F, R, Owned...>;
  static_assert(detail::is_op<next>, "then(f): f must return an Op, such as a kernel call");
  using node = detail::then_node<R, F, Owned...>;
  return Op<typename next::output>(
      detail::new_node<typename next::output, node>(detail::owned<detail::op_node<R>>(take()), std::move(owned)...));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
