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

// What a launch in a scope borrows, until the scope ends.
class held_loans {
 public:
  held_loans() = default;
  held_loans(const held_loans&) = delete;
  held_loans& operator=(const held_loans&) = delete;
  virtual ~held_loans() = default;
};
template <class... A>
struct held_arguments final : held_loans {
  explicit held_arguments(kept<A...>&& given) : arguments(std::move(given)) {}
  kept<A...> arguments;
};

class scope_state;

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
  detail::given_back<A...> start(TILEWRIGHT_HELD LentOp<A...>&& launch) {
    return enqueue(std::move(launch), nullptr);
  }
  template <class... A>
  detail::given_back<A...> start_on(const Stream& stream, TILEWRIGHT_HELD LentOp<A...>&& launch) {
    return enqueue(std::move(launch), &stream.queue());
  }

 private:
  template <class F>
  friend auto scope(F&& f);

  Scope();
  ~Scope();
  void finish();
  void enqueue(const detail::kernel_description& kernel, std::span<const detail::launch_argument> arguments,
               std::span<const bool> is_lent, detail::owned<detail::held_loans> loans, detail::stream_queue* chosen);

  template <class... A>
  detail::given_back<A...> enqueue(LentOp<A...>&& launch, detail::stream_queue* chosen) {
    launch.take_turn();
    auto* held = new detail::held_arguments<A...>(std::move(launch.arguments_));
    detail::owned<detail::held_loans> loans(held);
    static constexpr bool is_lent[] = {Loan<A>...};
    held->arguments.described([&](std::span<const detail::launch_argument> arguments) {
      held->arguments.require_no_conflict();
      enqueue({launch.module_, &launch.with_, &launch.defaults_, &launch.schedule_}, arguments, is_lent,
              std::move(loans), chosen);
    });
    return held->arguments.give();
  }

  detail::owned<detail::scope_state> state_;
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
auto scope(F&& f) {
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
