// SPDX-License-Identifier: Apache-2.0
// Which host argument fits which kernel parameter, with the rule that a wrong one breaks; and what a launch keeps of
// each argument and gives back.
#pragma once

#include <cstring>
#include <tuple>
#include <type_traits>

#include "tilewright/runtime/detail/launch_plan.hpp"
#include "tilewright/runtime/detail/rehearsed_launch.hpp"
#include "tilewright/runtime/tensor.hpp"

namespace tilewright::diagnostics {

template <bool CountOk, int Parameters, int Arguments>
struct launch_arguments {
  static_assert(CountOk, "a launch takes one argument for each parameter of the kernel; Block is not one");
};
// Position counts the kernel's parameters from 0, without Block.
template <bool IsGiven, bool KindOk, bool ElementOk, int Position, parameter_kind Kind, class Element, class Given>
struct launch_argument {
  static_assert(IsGiven,
                "a launch takes no named Tensor: give it (std::move(t)), lend it (t.borrow(), "
                "t.partition({...})), or share it");
  static_assert(
      KindOk || !is_output(Kind),
      "an Out, InOut, Accum or Scatter parameter takes a partition of a tensor: std::move(t).partition({...}), or "
      "t.partition({...}) to lend it");
  static_assert(KindOk || Kind != parameter_kind::in,
                "an In parameter takes a whole tensor to read: a Shared, std::move(t), or t.borrow()");
  static_assert(KindOk || Kind != parameter_kind::unique,
                "a Unique parameter takes indices that were checked: unique_indices(std::move(t).share(), rows)");
  static_assert(KindOk || Kind != parameter_kind::scalar, "a Scalar parameter takes a number");
  static_assert(ElementOk, "the argument's element type is not the parameter's");
};

}  // namespace tilewright::diagnostics

namespace tilewright {
template <class T>
class LentBuffer;
template <Element T>
class UniqueIndices;
}  // namespace tilewright

namespace tilewright::detail {

enum class argument_form : std::uint8_t {
  none,
  partition,
  lent_partition,
  tensor,
  shared,
  lent_input,
  scalar,
  unique,
  host_buffer,  // this and what follows: of copies only
  lent_buffer,
  lent_buffer_input,
};

template <class A>
struct argument_traits {
  static constexpr argument_form form = argument_form::none;
  using element = void;
};
template <class A>
requires(Element<A> || std::is_arithmetic_v<A>) struct argument_traits<A> {
  static constexpr argument_form form = argument_form::scalar;
  using element = A;
};
template <argument_form Form, class T>
struct tensor_argument {
  static constexpr argument_form form = Form;
  using element = T;
};
// clang-format off
template <class T> struct argument_traits<Partition<T>> : tensor_argument<argument_form::partition, T> {};
template <class T> struct argument_traits<LentPartition<T>> : tensor_argument<argument_form::lent_partition, T> {};
template <class T> struct argument_traits<Tensor<T>> : tensor_argument<argument_form::tensor, T> {};
template <class T> struct argument_traits<Shared<T>> : tensor_argument<argument_form::shared, T> {};
template <class T> struct argument_traits<LentInput<T>> : tensor_argument<argument_form::lent_input, T> {};
template <class T> struct argument_traits<LentShared<T>> : tensor_argument<argument_form::lent_input, T> {};
template <class T> struct argument_traits<UniqueIndices<T>> : tensor_argument<argument_form::unique, T> {};
template <class T> struct argument_traits<HostBuffer<T>> : tensor_argument<argument_form::host_buffer, T> {};
template <class T> struct argument_traits<LentBuffer<T>> : tensor_argument<argument_form::lent_buffer, T> {};
template <class T> struct argument_traits<LentBuffer<const T>>
    : tensor_argument<argument_form::lent_buffer_input, T> {};
// clang-format on

constexpr bool fits(parameter_kind kind, argument_form form) {
  switch (kind) {
    case parameter_kind::in:
      return form == argument_form::tensor || form == argument_form::shared || form == argument_form::lent_input;
    case parameter_kind::out:
    case parameter_kind::in_out:
    case parameter_kind::accum:
    case parameter_kind::scatter:
      return form == argument_form::partition || form == argument_form::lent_partition;
    case parameter_kind::unique:
      return form == argument_form::unique;
    case parameter_kind::scalar:
      return form == argument_form::scalar;
  }
  return false;
}

// The C++ type of an element on the host: an Index is an index_t.
template <class T>
struct host_element {
  using type = T;
};
template <>
struct host_element<index_element> {
  using type = index_t;
};

template <int Position, class Parameter, class Given>
constexpr bool pair_fits() {
  using traits = argument_traits<std::remove_cvref_t<Given>>;
  using element = typename host_element<typename Parameter::element>::type;
  constexpr bool is_lvalue = std::is_lvalue_reference_v<Given>;
  constexpr bool is_given = !is_lvalue || traits::form == argument_form::shared ||
                            traits::form == argument_form::unique || traits::form == argument_form::scalar ||
                            traits::form == argument_form::none;
  constexpr bool kind_ok = !is_given || fits(Parameter::kind, traits::form);
  constexpr bool element_ok = !is_given || !kind_ok || std::is_same_v<typename traits::element, element>;
  constexpr bool all = is_given && kind_ok && element_ok;
  if constexpr (!all) {
    (void)sizeof(diagnostics::launch_argument<is_given, kind_ok, element_ok, Position, Parameter::kind,
                                              typename Parameter::element, std::remove_cvref_t<Given>>);
  }
  return all;
}

// ---- What the compiler needs to know of an argument ----------------------------------------------------------------
TILEWRIGHT_API launch_argument describe_tensor(storage* memory, const layout& seen, bool is_only_handle);
TILEWRIGHT_API launch_argument describe_output(storage* memory, const layout& seen, const Shape& piece,
                                               index_t sharers);

template <class T>
launch_argument describe(const Partition<T>& given) {
  storage* memory = access::memory(given);
  return describe_output(memory, dense_layout(memory->shape), access::piece(given), access::sharers(given));
}
template <class T>
launch_argument describe(const LentPartition<T>& given) {
  return describe_output(access::memory(given), access::seen(given), access::piece(given), access::sharers(given));
}
template <class T>
launch_argument describe(const Tensor<T>& given) {
  storage* memory = access::memory(given);
  return describe_tensor(memory, dense_layout(memory->shape), true);
}
template <class T>
launch_argument describe(const Shared<T>& given) {
  return describe_tensor(access::memory(given), access::seen(given), false);
}
template <class T>
launch_argument describe(const UniqueIndices<T>& given) {
  launch_argument made = describe_tensor(access::memory(given), access::seen(given), false);
  made.value.index_bound = given.bound();
  return made;
}
template <class T>
launch_argument describe(const LentInput<T>& given) {
  return describe_tensor(access::memory(given), access::seen(given), true);
}
template <class T>
launch_argument describe(const LentShared<T>& given) {
  return describe_tensor(access::memory(given), access::seen(given), false);
}
template <class T>
requires(argument_traits<T>::form >= argument_form::host_buffer) launch_argument describe(const T& given) {
  return describe_tensor(access::memory(given), access::seen(given), true);
}
template <class T>
requires(argument_traits<T>::form == argument_form::scalar) launch_argument describe(const T& given) {
  launch_argument made;
  std::memcpy(&made.value.scalar, &given, sizeof given);
  return made;
}

// ---- What a rehearsal needs to know of one -------------------------------------------------------------------------
struct copying {};  // in place of a kernel's parameters: the second argument to the first

template <class P, class A>
constexpr rehearsed_argument rehearsed(const A& given) {
  if constexpr (argument_traits<A>::form == argument_form::scalar) {
    return {};
  } else {
    const rehearsed_argument made{access::owned(given), access::seen(given), is_output(P::kind)};
    if (made.seen.extents.rank() != P::rank) refuse_argument_of_another_rank_than_its_parameter();
    if constexpr (is_output(P::kind)) rehearse_piece(made.seen.extents, access::piece(given));
    return made;
  }
}

template <class A>
constexpr const ownership* memory_of(const A& given) {
  if constexpr (argument_traits<A>::form == argument_form::scalar) {
    return nullptr;
  } else {
    return access::owned(given);
  }
}

// ---- Loans ---------------------------------------------------------------------------------------------------------
template <class A>
inline constexpr bool has_view = argument_traits<A>::form == argument_form::lent_partition ||
                                 argument_traits<A>::form == argument_form::lent_buffer ||
                                 argument_traits<A>::form == argument_form::lent_buffer_input;
template <class T>
inline constexpr bool has_view<LentInput<T>> = true;

template <class A>
constexpr void count_loans(A& given, bool counts) {
  if constexpr (has_view<A>) access::view(given).set_counts(counts);
}
template <class A>
constexpr void compare_loans(A& given) {
  if constexpr (has_view<A>) access::view(given).require_no_conflict();
}

// ---- What a launch keeps, and gives back ---------------------------------------------------------------------------
template <class A>
struct kept_argument {
  A value;
  template <class Given>
  [[gnu::always_inline]] constexpr explicit kept_argument(Given&& given) : value(std::forward<Given>(given)) {}
};
template <class A>
requires Loan<A>
struct kept_argument<A> {
  A value;
  [[gnu::always_inline]] constexpr explicit kept_argument(A&& given) : value(access::move(std::move(given))) {}
};

template <class A>
constexpr auto give_back(kept_argument<A>& kept) {
  constexpr argument_form form = argument_traits<A>::form;
  if constexpr (form == argument_form::partition) {
    return std::tuple(std::move(kept.value).unpartition());
  } else if constexpr (form == argument_form::tensor || form == argument_form::shared ||
                       form == argument_form::unique || form == argument_form::host_buffer) {
    return std::tuple<A>(std::move(kept.value));
  } else {
    return std::tuple<>();
  }
}

template <class... A>
using given_back = decltype(std::tuple_cat(give_back(std::declval<kept_argument<A>&>())...));

// All arguments of a launch, kept in place: loans do not move.
template <class Positions, class... A>
class kept_arguments;
template <std::size_t Position, class A>
struct kept_at : kept_argument<A> {
  using kept_argument<A>::kept_argument;
};
template <std::size_t... Positions, class... A>
class kept_arguments<std::index_sequence<Positions...>, A...> : private kept_at<Positions, A>... {
 public:
  template <class... Given>
  [[gnu::always_inline]] constexpr explicit kept_arguments(Given&&... given)
      : kept_at<Positions, A>(std::forward<Given>(given))... {}

  [[gnu::always_inline]] constexpr kept_arguments(kept_arguments&& other)
      : kept_at<Positions, A>(std::move(static_cast<kept_at<Positions, A>&>(other).value))... {}

  // use(arguments), as the compiler sees them.
  template <class Use>
  auto described(Use use) const {
    const launch_argument all[] = {describe(static_cast<const kept_at<Positions, A>&>(*this).value)...};
    return use(std::span<const launch_argument>(all));
  }
  launch_plan plan(const kernel_description& kernel) const {
    return described([&](std::span<const launch_argument> all) { return launch_plan(kernel, all); });
  }
  // Throws usage_error where a loan of this launch conflicts with one that lives on.
  constexpr void require_no_conflict() {
    (count_loans<A>(static_cast<kept_at<Positions, A>&>(*this).value, false), ...);
    (compare_loans<A>(static_cast<kept_at<Positions, A>&>(*this).value), ...);
  }
  // Of a launch that goes on: others conflict with its loans.
  constexpr void keep_lent() { (count_loans<A>(static_cast<kept_at<Positions, A>&>(*this).value, true), ...); }
  template <class... P>
  constexpr void rehearse(parameter_list<P...>) const {
    const rehearsed_argument all[] = {rehearsed<P>(static_cast<const kept_at<Positions, A>&>(*this).value)...};
    rehearse_launch(all);
  }
  constexpr void rehearse(copying) const {
    rehearsed_argument all[] = {{access::owned(static_cast<const kept_at<Positions, A>&>(*this).value),
                                 access::seen(static_cast<const kept_at<Positions, A>&>(*this).value),
                                 Positions == 0}...};
    rehearse_copy(all[0], all[1]);
  }
  constexpr void rehearse_run() const {
    int nodes = 1;  // for the first memory; a copy may be of two devices
    each_memory([&](const ownership& memory) { rehearse_nodes(*memory.rehearsed, std::exchange(nodes, 0)); });
  }
  constexpr void rehearse_start_in_scope() const {
    each_memory([](const ownership& memory) {
      if (is_in_capture(*memory.rehearsed)) refuse_scope_inside_a_capture();
    });
  }
  static constexpr int outputs = (static_cast<int>(argument_traits<A>::form == argument_form::partition) + ... + 0);
  void list_outputs(ownership** to) const {
    const auto list = [&]<class B>(const B& given) {
      if constexpr (argument_traits<B>::form == argument_form::partition) *to++ = access::owned(given);
    };
    (list(static_cast<const kept_at<Positions, A>&>(*this).value), ...);
  }
  constexpr given_back<A...> give() {
    return std::tuple_cat(give_back(static_cast<kept_argument<A>&>(static_cast<kept_at<Positions, A>&>(*this)))...);
  }

 private:
  template <class Visit>
  constexpr void each_memory(Visit visit) const {
    const ownership* memories[] = {memory_of<A>(static_cast<const kept_at<Positions, A>&>(*this).value)...};
    for (const ownership* memory : memories) {
      if (memory != nullptr) visit(*memory);
    }
  }
};
template <class... A>
using kept = kept_arguments<std::index_sequence_for<A...>, A...>;

}  // namespace tilewright::detail
