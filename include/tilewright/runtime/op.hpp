// SPDX-License-Identifier: Apache-2.0
// Op: work that has been checked but not started. It owns its arguments and gives them back; it runs exactly once.
#pragma once

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tilewright/runtime/detail/op_node.hpp"
#include "tilewright/runtime/misuse.hpp"
#include "tilewright/runtime/result.hpp"
#include "tilewright/runtime/tensor.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

// IsMapped: its value is made by map(), when the work is done.
template <class R, bool IsMapped = false>
class Op;

namespace detail {

template <class T>
inline constexpr bool is_op = false;
template <class R, bool IsMapped>
inline constexpr bool is_op<Op<R, IsMapped>> = true;

inline void report_op_that_never_ran() noexcept {
  report_misuse("an Op was destroyed without having run; run it, or call discard()");
}
inline void report_result_that_nobody_waits_for() noexcept {
  report_misuse("an InFlight was dropped; call wait(), or detach() to let it go on alone");
}

template <class T>
inline constexpr bool is_tensor = false;
template <class T>
inline constexpr bool is_tensor<Tensor<T>> = true;

// In a rehearsal: whether tensors that an op gave are still to be computed.
template <class T>
constexpr void set_pending(T& given, bool is) {
  if constexpr (is_tensor<T>) access::owned(given)->is_pending = is;
}
template <class... T>
constexpr void set_pending(std::tuple<T...>& given, bool is) {
  std::apply([&](T&... each) { (set_pending(each, is), ...); }, given);
}
template <class R>
constexpr R rehearsed_result(op_node<R>& node) {
  R given = node.take();
  set_pending(given, false);
  return given;
}

template <class R, class F, class... Owned>
class then_node;
template <class R, class F, class... Owned>
class map_node;

}  // namespace detail

// What start() gives: work in flight, with the arguments it will give back.
template <class R>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("wait() for what is in flight") InFlight {
 public:
  using output = R;

  constexpr InFlight(InFlight&& other) noexcept : node_(std::move(other.node_)), range_(std::move(other.range_)) {}
  constexpr InFlight& operator=(InFlight&& other) noexcept TILEWRIGHT_RENEWS {
    detail::owned<detail::op_node<R>> taken = std::move(other.node_);
    drop();
    node_ = std::move(taken);
    range_ = std::move(other.range_);
    return *this;
  }
  constexpr ~InFlight() TILEWRIGHT_WANTS_SPENT { drop(); }

  // Waits and gives the arguments back. Throws what failed in the work; they are lost then.
  constexpr R wait() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::owned<detail::op_node<R>> node = take();
    if (detail::in_rehearsal()) return detail::rehearsed_result(*node);
    detail::wait_for_result(range_);
    return node->take();
  }
  // The same with a failure of the device as a value, which keeps the arguments; see Result.
  constexpr Result<R> try_wait() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    const detail::owned<detail::op_node<R>> node = take();
    if (detail::in_rehearsal()) return Result<R>(detail::rehearsed_result(*node));
    return detail::result_of<R>([&] { detail::wait_for_result(range_); }, [&] { return node->take(); },
                                [&] { return detail::rescue(*node, range_); });
  }
  // Gives the arguments up; their memory is freed when the work is done. A failure reaches Stream::synchronize().
  constexpr void detach() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { node_ = {}; }

  R wait() & = delete;
  Result<R> try_wait() & = delete;
  void detach() & = delete;

  // For the runtime itself.
  constexpr InFlight(detail::owned<detail::op_node<R>> node, detail::enqueued_range&& range)
      : node_(std::move(node)), range_(std::move(range)) {}
  std::pair<detail::owned<detail::op_node<R>>, detail::enqueued_range> release() && TILEWRIGHT_UNSPENT
      TILEWRIGHT_SPENDS {
    return {take(), std::move(range_)};
  }

 private:
  constexpr detail::owned<detail::op_node<R>> take() {
    if (!node_) detail::refuse_second_run("InFlight");
    return std::move(node_);
  }
  constexpr void drop() noexcept {
    if (node_) detail::report_result_that_nobody_waits_for();
    node_ = {};
  }

  detail::owned<detail::op_node<R>> node_;
  detail::enqueued_range range_;
};

template <class R, bool IsMapped>
class TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("an Op does nothing until it is run: sync(), start() or then()") Op {
 public:
  using output = R;
  static constexpr bool is_mapped = IsMapped;

  [[gnu::always_inline]] constexpr Op(Op&& other) : node_(other.take()) {}
  [[gnu::always_inline]] constexpr Op& operator=(Op&& other) TILEWRIGHT_RENEWS {
    detail::op_node<R>* taken = other.take();
    drop();
    node_ = taken;
    return *this;
  }
  [[gnu::always_inline]] constexpr ~Op() TILEWRIGHT_WANTS_SPENT { drop(); }

  // Runs it on the calling thread's stream, waits, and gives the arguments back, in the parameters' order: a Tensor
  // for each Partition, Tensor or Shared as given; nothing for scalars. Throws what failed; they are lost then.
  [[gnu::always_inline]] constexpr R sync() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { return run(take(), nullptr); }
  [[gnu::always_inline]] constexpr R sync_on(const Stream& stream) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return run(take(), &stream);
  }
  // The same with a failure of the device as a value, which keeps the arguments; see Result.
  [[gnu::always_inline]] constexpr Result<R> try_sync() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return try_run(take(), nullptr);
  }
  [[gnu::always_inline]] constexpr Result<R> try_sync_on(const Stream& stream) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return try_run(take(), &stream);
  }
  // Enqueues it and returns at once.
  [[gnu::always_inline]] constexpr InFlight<R> start() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return begin(take(), nullptr);
  }
  [[gnu::always_inline]] constexpr InFlight<R> start_on(const Stream& stream) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return begin(take(), &stream);
  }
  // One op after the other: f(arguments of this one, owned...) gives the next Op when this one is enqueued, so its
  // tensors are not computed yet and cannot be read. f must not capture: state goes through `owned`, by value. The next
  // op may be of another device. When f throws, that is thrown here; what it was given is freed when the work is done.
  template <class F, class... Owned>
      [[gnu::always_inline]] constexpr auto then(F, Owned... owned) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS;
  // f(arguments of this one, owned...) makes a value of them when the work is done, on the thread that waits; it may
  // read them. It must not capture either. When f throws, that is thrown where the op is waited for, and what it was
  // given is freed; so it is, without a call, when the work failed.
  template <class F, class... Owned>
      [[gnu::always_inline]] constexpr auto map(F, Owned... owned) && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS;
  // Gives the work up.
  [[gnu::always_inline]] constexpr void discard() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS { delete take(); }

  R sync() & = delete;
  R sync_on(const Stream&) & = delete;
  Result<R> try_sync() & = delete;
  Result<R> try_sync_on(const Stream&) & = delete;
  InFlight<R> start() & = delete;
  InFlight<R> start_on(const Stream&) & = delete;
  template <class... Any>
  void then(Any&&...) & = delete;
  template <class... Any>
  void map(Any&&...) & = delete;
  void discard() & = delete;

  // For the runtime itself.
  [[gnu::always_inline]] constexpr explicit Op(detail::owned<detail::op_node<R>> node) : node_(node.release()) {}
  [[gnu::always_inline]] constexpr detail::owned<detail::op_node<R>> release() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    return detail::owned<detail::op_node<R>>(take());
  }

 private:
  [[gnu::always_inline]] constexpr detail::op_node<R>* take() {
    TILEWRIGHT_REFUSE_IF(node_ == nullptr, diagnostics::error_use_after_give);
    if (node_ == nullptr) detail::refuse_second_run("Op");
    detail::op_node<R>* node = node_;
    node_ = nullptr;
    return node;
  }
  [[gnu::always_inline]] constexpr void drop() noexcept {
    if (node_ == nullptr) return;
    delete node_;
    node_ = nullptr;
    detail::report_op_that_never_ran();
  }
  static constexpr detail::stream_queue* queue_of(const Stream* chosen) {
    return chosen != nullptr ? &chosen->queue() : nullptr;
  }
  static constexpr R run(detail::op_node<R>* taken, const Stream* chosen) {
    const detail::owned<detail::op_node<R>> node(taken);
    if (detail::in_rehearsal()) {
      node->rehearse();
      return detail::rehearsed_result(*node);
    }
    detail::enqueued_range range;
    detail::run(*node, queue_of(chosen), range);
    return node->take();
  }
  static constexpr Result<R> try_run(detail::op_node<R>* taken, const Stream* chosen) {
    const detail::owned<detail::op_node<R>> node(taken);
    if (detail::in_rehearsal()) {
      node->rehearse();
      return Result<R>(detail::rehearsed_result(*node));
    }
    detail::enqueued_range range;
    return detail::result_of<R>([&] { detail::run(*node, queue_of(chosen), range); }, [&] { return node->take(); },
                                [&] { return detail::rescue(*node, range); });
  }
  static constexpr InFlight<R> begin(detail::op_node<R>* taken, const Stream* chosen) {
    detail::owned<detail::op_node<R>> node(taken);
    detail::enqueued_range range;
    if (detail::in_rehearsal()) {
      node->rehearse();
    } else {
      detail::start(*node, queue_of(chosen), range);
    }
    return InFlight<R>(std::move(node), std::move(range));
  }

  detail::op_node<R>* node_;
};

namespace detail {

template <class R, class F, class... Owned>
class then_node final : public op_node<typename std::invoke_result_t<F, R, Owned...>::output> {
  using result = typename std::invoke_result_t<F, R, Owned...>::output;

 public:
  constexpr then_node(owned<op_node<R>> first, Owned... owned)
      : first_(std::move(first)), owned_(std::move(owned)...) {}
  constexpr ~then_node() override {}  // see launch_node
  device_engine& device() const override { return first_->device(); }
  bool runs_on(const device_engine& device) const override { return first_->runs_on(device); }
  void enqueue(stream_queue& stream, enqueued_range& range) override {
    first_->enqueue(stream, range);
    {
      const enqueue_scope scope;
      next_ = std::apply([&](Owned&... owned) { return F{}(first_->take(), std::move(owned)...).release(); }, owned_);
    }
    enqueued_range rest;
    const append_later appends(range, rest);
    next_->enqueue(stream_of_part(*next_, stream), rest);
  }
  constexpr result take() override { return next_->take(); }
  constexpr void rehearse() override {
    first_->rehearse();
    R given = first_->take();
    set_pending(given, true);
    next_ = std::apply([&](Owned&... owned) { return F{}(std::move(given), std::move(owned)...).release(); }, owned_);
    next_->rehearse();
  }
  std::optional<result> rescue() override { return next_ ? next_->rescue() : std::nullopt; }

 private:
  owned<op_node<R>> first_;
  std::tuple<Owned...> owned_;
  owned<op_node<result>> next_;
};

template <class R, class F, class... Owned>
class map_node final : public op_node<std::invoke_result_t<F, R, Owned...>> {
  using result = std::invoke_result_t<F, R, Owned...>;

 public:
  constexpr map_node(owned<op_node<R>> first, Owned... owned) : first_(std::move(first)), owned_(std::move(owned)...) {}
  constexpr ~map_node() override {}  // see launch_node
  device_engine& device() const override { return first_->device(); }
  bool runs_on(const device_engine& device) const override { return first_->runs_on(device); }
  void enqueue(stream_queue& stream, enqueued_range& range) override {
    require_results();
    first_->enqueue(stream, range);
  }
  constexpr void rehearse() override { first_->rehearse(); }
  constexpr result take() override {
    if (in_rehearsal()) {
      R given = rehearsed_result(*first_);
      return std::apply([&](Owned&... owned) { return F{}(std::move(given), std::move(owned)...); }, owned_);
    }
    return std::apply([&](Owned&... owned) -> result { return F{}(first_->take(), std::move(owned)...); }, owned_);
  }

 private:
  owned<op_node<R>> first_;
  std::tuple<Owned...> owned_;
};

}  // namespace detail

template <class R, bool IsMapped>
template <class F, class... Owned>
constexpr auto Op<R, IsMapped>::then(F, Owned... owned) && {
  static_assert(!IsMapped,
                "then() after map(): then() goes on before the work is done, and map() needs its end; map last");
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "then(f, owned...): f must not capture; pass owned state as further arguments");
  static_assert(((!std::is_pointer_v<Owned>)&&... && true),
                "then(f, owned...): a pointer could dangle when f runs; pass the value itself");
  using next = std::invoke_result_t<F, R, Owned...>;
  static_assert(detail::is_op<next>, "then(f): f must return an Op, such as a kernel call");
  using node = detail::then_node<R, F, Owned...>;
  return Op<typename next::output, next::is_mapped>(
      detail::new_node<typename next::output, node>(detail::owned<detail::op_node<R>>(take()), std::move(owned)...));
}

template <class R, bool IsMapped>
template <class F, class... Owned>
constexpr auto Op<R, IsMapped>::map(F, Owned... owned) && {
  static_assert(std::is_empty_v<F> && std::is_default_constructible_v<F>,
                "map(f, owned...): f must not capture; pass owned state as further arguments");
  static_assert(((!std::is_pointer_v<Owned>)&&... && true),
                "map(f, owned...): a pointer could dangle when f runs; pass the value itself");
  using value = std::invoke_result_t<F, R, Owned...>;
  static_assert(!detail::is_op<value>,
                "map(f): f makes a value when the work is done; to go on with an op, use then()");
  static_assert(std::is_object_v<value> && !std::is_pointer_v<value>,
                "map(f): f must return a value; what a reference or pointer names could be gone");
  using node = detail::map_node<R, F, Owned...>;
  return Op<value, true>(detail::new_node<value, node>(detail::owned<detail::op_node<R>>(take()), std::move(owned)...));
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
