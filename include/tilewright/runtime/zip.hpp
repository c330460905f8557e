// SPDX-License-Identifier: Apache-2.0
// zip(op1, op2, ...): several ops as one. Each goes to its own device, so work of several devices overlaps.
#pragma once

#include "tilewright/runtime/op.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

template <class... R>
class zip_node final : public op_node<std::tuple<R...>> {
 public:
  constexpr explicit zip_node(owned<op_node<R>>... ops) : ops_(std::move(ops)...) {}
  constexpr ~zip_node() override {}  // see launch_node
  device_engine& device() const override { return std::get<0>(ops_)->device(); }
  bool runs_on(const device_engine& device) const override {
    return std::apply([&](const auto&... op) { return (op->runs_on(device) || ...); }, ops_);
  }
  void enqueue(stream_queue& stream, enqueued_range& range) override {
    const auto one = [&](op_work& op) {
      enqueued_range part;
      const append_later appends(range, part);
      op.enqueue(stream_of_part(op, stream), part);
    };
    std::apply([&](auto&... op) { (one(*op), ...); }, ops_);
  }
  constexpr void rehearse() override {
    std::apply([](auto&... op) { (op->rehearse(), ...); }, ops_);
  }
  constexpr std::tuple<R...> take() override {
    return std::apply([](auto&... op) { return std::tuple<R...>{op->take()...}; }, ops_);
  }
  std::optional<std::tuple<R...>> rescue() override {
    return std::apply([](auto&... op) { return together(op->rescue()...); }, ops_);
  }

 private:
  static std::optional<std::tuple<R...>> together(std::optional<R>... parts) {
    if (!(parts.has_value() && ...)) return std::nullopt;
    return std::tuple<R...>{std::move(*parts)...};
  }

  std::tuple<owned<op_node<R>>...> ops_;
};

template <class R, bool IsMapped>
constexpr owned<op_node<R>> released(Op<R, IsMapped>&& op) {
  return std::move(op).release();
}

}  // namespace detail

// An op that runs them all and gives all that they give: std::tuple<R1, R2, ...>. Each is enqueued, in this order, on
// the calling thread's stream of its device, or on the stream given to sync_on() and start_on() where that is of its
// device. A failure of one does not stop the others; the first one is thrown when all are done.
template <class... Ops>
constexpr auto zip(Ops&&... ops) {
  static_assert(sizeof...(Ops) > 0, "zip() takes one op or more");
  static_assert((detail::is_op<std::remove_cvref_t<Ops>> && ...),
                "zip() takes ops; a launch that borrows its arguments only runs by sync()");
  static_assert((!std::is_lvalue_reference_v<Ops> && ...), "zip() uses its ops up: give each by std::move");
  if constexpr ((detail::is_op<Ops> && ...) && sizeof...(Ops) > 0) {
    using given = std::tuple<typename Ops::output...>;
    return Op<given, (Ops::is_mapped || ...)>(
        detail::new_node<given, detail::zip_node<typename Ops::output...>>(detail::released(std::move(ops))...));
  }
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
