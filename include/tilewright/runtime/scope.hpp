// SPDX-License-Identifier: Apache-2.0
// scope(f): asynchronous launches and copies with borrowed tensors. It returns only when all that was started in it is
// done, so the loans are over when the tensors can be used, given away or destroyed again.
#pragma once

#include <type_traits>
#include <utility>

#include "tilewright/runtime/launch.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

// What the launches in a scope borrow, until the scope ends: a list, the last one first.
class held_loans {
 public:
  constexpr held_loans() = default;
  held_loans(const held_loans&) = delete;
  held_loans& operator=(const held_loans&) = delete;
  constexpr virtual ~held_loans() = default;

  owned<held_loans> earlier;
};
template <class... A>
class held_arguments final : public held_loans {
 public:
  constexpr explicit held_arguments(kept<A...>&& given) : arguments(std::move(given)) {}
  constexpr ~held_arguments() override {}  // see launch_node
  kept<A...> arguments;
};

class scope_state;
TILEWRIGHT_API void destroy_hidden(scope_state* spent) noexcept;  // waits for what was started

}  // namespace detail

// What scope(f) gives to f, by reference; nothing of it may be kept longer. Only on the thread of its scope.
class TILEWRIGHT_API Scope {
 public:
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  Scope* operator&() const = delete;  // a pointer would outlive the scope

  // Enqueues a launch or copy with loans, on the calling thread's stream or another one, and gives back what it owned;
  // that is not computed yet, and who reads it waits. What is lent stays lent until the scope ends: until then
  // usage_error for whoever reads what the launch writes, or launches over an element that one of the two writes, and
  // for giving the tensor away; parts that share no element are free. usage_error for all that is wrong with the
  // launch, before it is enqueued, and in a capture.
  template <class... A>
  constexpr detail::given_back<A...> start(TILEWRIGHT_HELD LentOp<A...>&& launch) {
    return enqueue(std::move(launch), nullptr);
  }
  template <class... A>
  constexpr detail::given_back<A...> start_on(const Stream& stream, TILEWRIGHT_HELD LentOp<A...>&& launch) {
    return enqueue(std::move(launch), &stream);
  }

 private:
  template <class F>
  friend constexpr auto scope(F&& f);

  constexpr Scope() : state_(detail::in_rehearsal() ? nullptr : make()) {}
  constexpr ~Scope() {
    state_ = {};
    give_back();
  }
  constexpr void finish() {
    if (!detail::in_rehearsal()) wait();
    give_back();
  }
  // One by one, as there may be many.
  constexpr void give_back() noexcept {
    while (loans_) {
      detail::owned<detail::held_loans> earlier = std::move(loans_->earlier);
      loans_ = std::move(earlier);
    }
  }
  static detail::scope_state* make();
  void wait();  // throws what failed first
  void enqueue(const detail::kernel_description& kernel, std::span<const detail::launch_argument> arguments,
               std::span<const bool> is_lent, const Stream* chosen);

  template <class... A>
  constexpr detail::given_back<A...> enqueue(LentOp<A...>&& launch, const Stream* chosen) {
    launch.take_turn();
    auto* held = new detail::held_arguments<A...>(std::move(launch.arguments_));
    detail::owned<detail::held_loans> loans(held);
    if (detail::in_rehearsal()) {
      held->arguments.rehearse_start_in_scope();
      held->arguments.require_no_conflict();
      held->arguments.keep_lent();
    } else {
      enqueue_now(launch, held->arguments, chosen);
    }
    loans->earlier = std::move(loans_);
    loans_ = std::move(loans);
    return held->arguments.give();
  }
  // clang 14 deduces nothing from the alias detail::kept<A...>.
  template <class Kept, class... A>
  void enqueue_now(const LentOp<A...>& launch, Kept& kept, const Stream* chosen) {
    static constexpr bool is_lent[] = {Loan<A>...};
    kept.described([&](std::span<const detail::launch_argument> arguments) {
      kept.require_no_conflict();
      enqueue({launch.module_, &launch.with_, &launch.defaults_, &launch.schedule_}, arguments, is_lent, chosen);
    });
  }

  detail::owned<detail::scope_state> state_;
  detail::owned<detail::held_loans> loans_;
};

// Calls f(Scope&), waits for all that it started, and returns what f returned. What f lends has to live outside of f.
// What fails, by the way it fails:
// - start() throws: that launch does not run, and what it lent is free at once. f may catch that and go on.
// - A launch that was started fails, by a check in its kernel or a call of the driver: the others run. When all are
//   done, the first failure in the order of start() is thrown; others are dropped.
// - f throws: all is waited for, then that exception goes on, and failures of launches are dropped.
// In each case nothing is lent any more, and what launches only read is as it was. Who reads what a failed launch
// should have written gets its failure, until all of it is written anew.
//   scope([&](Scope& s) {
//     auto [head, tail] = z.split_at(0, 512);
//     s.start(twice(head.partition({64}), x.borrow()));
//     s.start_on(other, twice(tail.partition({64}), y.borrow()));
//   });
template <class F>
constexpr auto scope(F&& f) {
  static_assert(std::is_invocable_v<F, Scope&>, "scope(f) calls f(Scope&)");
  using result = std::invoke_result_t<F, Scope&>;
  static_assert(!std::is_reference_v<result> && !std::is_pointer_v<result>,
                "scope(f): f returns a value; what a reference or pointer names could be of the scope");
  static_assert(
      !requires { typename result::promise_type; },
      "scope(f): a coroutine would go on after the scope has ended; use the scope inside it");
  Scope opened;
  if constexpr (std::is_void_v<result>) {
    std::forward<F>(f)(opened);
    opened.finish();
  } else {
    result returned = std::forward<F>(f)(opened);
    opened.finish();
    return returned;
  }
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
