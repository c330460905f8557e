// SPDX-License-Identifier: Apache-2.0
// Calling a kernel: kernel(arguments...) finds launch() by argument-dependent lookup. Wrong kinds and elements are
// compile errors that name the rule; wrong shapes, devices and aliases are usage_errors, thrown before anything runs.
#pragma once

#include "tilewright/runtime/detail/argument_pairs.hpp"
#include "tilewright/runtime/detail/fresh_outputs.hpp"
#include "tilewright/runtime/op.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace detail {

template <class... A>
class launch_node final : public op_node<given_back<A...>> {
 public:
  // `Rehearsed`: parameter_list<...>, or copying.
  template <class Rehearsed, class... Given>
  constexpr explicit launch_node(Rehearsed what, const kernel_description& kernel, Given&&... given)
      : arguments_(std::forward<Given>(given)...), plan_(in_rehearsal() ? launch_plan() : arguments_.plan(kernel)) {
    if (in_rehearsal()) arguments_.rehearse(what);
  }

  constexpr ~launch_node() override {}  // written out: g++ 12 makes an implicit one too late for a rehearsal
  device_engine& device() const override { return plan_.device(); }
  void enqueue(stream_queue& stream, enqueued_range& range) override { std::move(plan_).enqueue(stream, range); }
  constexpr given_back<A...> take() override { return arguments_.give(); }
  std::optional<given_back<A...>> rescue() override { return arguments_.give(); }
  constexpr void rehearse() override { arguments_.rehearse_run(); }
  constexpr bool is_one_launch() const override { return true; }
  event enqueue_again(stream_queue& stream, const event& before) override {
    return plan_.enqueue_again(stream, before);
  }
  const void* context() const override { return plan_.context(); }
  void require_no_fault() override { plan_.require_no_fault(); }

 private:
  kept<A...> arguments_;
  launch_plan plan_;
};

inline void report_borrowing_launch_that_never_ran() noexcept {
  report_misuse("a launch with borrowed tensors was destroyed without sync()");
}

// Stands where a launch was refused, so that the refusal is the only error.
struct refused_launch {
  refused_launch sync() && { return {}; }
  refused_launch start() && { return {}; }
};

template <class... P, class... A, std::size_t... Positions>
constexpr bool arguments_fit(parameter_list<P...>, std::tuple<A...>*, std::index_sequence<Positions...>) {
  return (static_cast<int>(pair_fits<static_cast<int>(Positions), P, A>()) + ... + 0) == sizeof...(P);  // all of them
}

template <class Parameters, class... A>
constexpr bool accepts() {
  if constexpr (Parameters::size != sizeof...(A)) {
    (void)sizeof(diagnostics::launch_arguments<false, Parameters::size, static_cast<int>(sizeof...(A))>);
    return false;
  } else {
    return arguments_fit(Parameters{}, static_cast<std::tuple<A...>*>(nullptr), std::index_sequence_for<A...>{});
  }
}

}  // namespace detail

// A launch that borrows: it lives for one full expression and runs by sync() only. Everything is checked there.
template <class... A>
class TILEWRIGHT_VIEW TILEWRIGHT_CAN_BE_SPENT TILEWRIGHT_MUST_RUN("a launch does nothing until sync()") LentOp {
 public:
  using output = detail::given_back<A...>;
  LentOp(const LentOp&) = delete;
  LentOp& operator=(const LentOp&) = delete;
  [[gnu::always_inline]] constexpr ~LentOp() TILEWRIGHT_WANTS_SPENT {
    if (!has_run_) detail::report_borrowing_launch_that_never_ran();
  }

  // Runs it on the calling thread's stream and waits. Gives the owned arguments back. To drop all outputs among them in
  // the same expression is misuse.
  [[nodiscard("what the launch owned comes back")]] TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS constexpr output sync() &&
      requires(detail::kept<A...>::outputs > 0) {
    return run_and_give();
  }
  TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS constexpr output sync() && requires(detail::kept<A...>::outputs == 0) {
    return run_and_give();
  }
  // The same with a failure of the device as a value, which keeps the owned arguments; see Result. Lent outputs of a
  // launch that failed throw the failure when they are read, until they are written anew.
  constexpr Result<output> try_sync() && TILEWRIGHT_UNSPENT TILEWRIGHT_SPENDS {
    take_turn();
    if (detail::in_rehearsal()) {
      arguments_.require_no_conflict();
      arguments_.rehearse_run();
      return Result<output>(arguments_.give());
    }
    detail::enqueued_range range;
    return detail::result_of<output>([&] { run(range); }, [&] { return arguments_.give(); },
                                     [&] {
                                       detail::settle_failed(range);
                                       return std::optional(arguments_.give());
                                     });
  }
  void try_sync() & = delete;
  void sync() & = delete;

  // What would outlive the loan.
  template <class... Any>
  void start(Any&&...) {
    refuse<Any...>();
  }
  template <class... Any>
  void then(Any&&...) {
    refuse<Any...>();
  }
  template <class... Any>
  void map(Any&&...) {
    refuse<Any...>();
  }

  // For the runtime itself.
  template <class Parameters, class... Given>
  [[gnu::always_inline]] constexpr explicit LentOp(const kernel_reference<Parameters>& kernel, Given&&... given)
      : module_(kernel.module),
        with_(kernel.with),
        defaults_(kernel.defaults),
        schedule_(kernel.schedule),
        arguments_(std::forward<Given>(given)...) {
    if (detail::in_rehearsal()) arguments_.rehearse(Parameters{});
  }
  template <class... Given>
  [[gnu::always_inline]] constexpr explicit LentOp(detail::copying what, Given&&... given)
      : module_(nullptr), arguments_(std::forward<Given>(given)...) {
    if (detail::in_rehearsal()) arguments_.rehearse(what);
  }

 private:
  friend class Scope;

  constexpr output run_and_give() {
    take_turn();
    if (detail::in_rehearsal()) {
      arguments_.require_no_conflict();
      arguments_.rehearse_run();
      return arguments_.give();
    }
    run();
    if constexpr (detail::kept<A...>::outputs > 0) {
      return give_watched();
    } else {
      return arguments_.give();
    }
  }
  constexpr void take_turn() {
    if (has_run_) detail::refuse_second_run("launch");
    has_run_ = true;
  }
  output give_watched() {
    detail::ownership* written[detail::kept<A...>::outputs];
    arguments_.list_outputs(written);
    auto given = arguments_.give();
    outputs_.watch(written);
    return given;
  }
  void run() {
    detail::enqueued_range range;
    run(range);
  }
  void run(detail::enqueued_range& range) {
    detail::require_outside_then("sync()");
    detail::launch_plan plan = arguments_.plan({module_, &with_, &defaults_, &schedule_});
    arguments_.require_no_conflict();
    detail::stream_queue& stream = detail::thread_stream(plan.device());
    const detail::stream_scope scope(stream);
    std::move(plan).enqueue(stream, range);
    detail::wait(range);
  }

  template <class... Any>
  static void refuse() {
    static_assert(sizeof...(Any) > 1000,
                  "a launch that borrows its arguments only runs by sync(); give the tensors "
                  "(std::move) or share them to run it asynchronously, or start it in a scope()");
  }

  const ast::module_view* module_;
  dim_bindings with_, defaults_;
  schedule schedule_;
  bool has_run_ = false;
  [[no_unique_address]] detail::fresh_outputs<detail::kept<A...>::outputs> outputs_;
  detail::kept<A...> arguments_;  // last, for the loans in it
};

template <class Parameters, class... A>
[[gnu::always_inline]] constexpr auto launch(const kernel_reference<Parameters>& kernel, A&&... arguments) {
  if constexpr (!detail::accepts<Parameters, A...>()) {
    return detail::refused_launch{};
  } else if constexpr ((Loan<std::remove_cvref_t<A>> || ...)) {
    return LentOp<std::remove_cvref_t<A>...>(kernel, std::forward<A>(arguments)...);
  } else {
    using node = detail::launch_node<std::remove_cvref_t<A>...>;
    using given_back = detail::given_back<std::remove_cvref_t<A>...>;
    return Op<given_back>(detail::new_node<given_back, node>(
        Parameters{}, detail::kernel_description{kernel.module, &kernel.with, &kernel.defaults, &kernel.schedule},
        std::forward<A>(arguments)...));
  }
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
