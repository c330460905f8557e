// SPDX-License-Identifier: Apache-2.0
// copy(to, from): the elements of one tensor, view or host buffer into another, as an op like any launch: it owns both
// until it is done, gives them back, can be started, chained, prepared, or lent to for one expression.
#pragma once

#include "tilewright/runtime/host_buffer.hpp"
#include "tilewright/runtime/launch.hpp"

TILEWRIGHT_BEGIN_OWNERS

namespace tilewright {

namespace diagnostics {

template <bool IsGiven, bool ToOk, bool FromOk, bool ElementOk, class To, class From>
struct copy_arguments {
  static_assert(IsGiven,
                "copy() takes no named Tensor or HostBuffer: give it (std::move(t)), or lend it: t.all() to be "
                "written, t.borrow() to be read");
  static_assert(ToOk,
                "copy(to, from) writes a Tensor or a HostBuffer, or what all() lends of one; nobody may write a Shared "
                "or a const tensor");
  static_assert(FromOk, "copy(to, from) reads a Tensor, a Shared or a HostBuffer, or what borrow() lends of one");
  static_assert(ElementOk, "copy(to, from): both have the same element type; a kernel can convert");
};

}  // namespace diagnostics

namespace detail {

constexpr bool can_be_copied_to(argument_form form) {
  return form == argument_form::tensor || form == argument_form::host_buffer || form == argument_form::lent_partition ||
         form == argument_form::lent_buffer;
}
constexpr bool can_be_copied_from(argument_form form) {
  return form == argument_form::tensor || form == argument_form::shared || form == argument_form::host_buffer ||
         form == argument_form::lent_input || form == argument_form::lent_buffer_input;
}

template <class To, class From>
constexpr bool accepts_copy() {
  using to = argument_traits<std::remove_cvref_t<To>>;
  using from = argument_traits<std::remove_cvref_t<From>>;
  constexpr auto is_named_owner = [](bool is_lvalue, argument_form form) {
    return is_lvalue && (form == argument_form::tensor || form == argument_form::host_buffer);
  };
  constexpr bool is_given = !is_named_owner(std::is_lvalue_reference_v<To>, to::form) &&
                            !is_named_owner(std::is_lvalue_reference_v<From>, from::form);
  constexpr bool to_ok = can_be_copied_to(to::form), from_ok = can_be_copied_from(from::form);
  constexpr bool element_ok = !to_ok || !from_ok || std::is_same_v<typename to::element, typename from::element>;
  constexpr bool all = is_given && to_ok && from_ok && element_ok;
  if constexpr (!all) {
    (void)sizeof(diagnostics::copy_arguments<is_given, to_ok, from_ok, element_ok, std::remove_cvref_t<To>,
                                             std::remove_cvref_t<From>>);
  }
  return all;
}

}  // namespace detail

// to: Tensor&&, HostBuffer&&; or lent: t.all(), t.slice(...).all(), buffer.all().
// from: Tensor&&, HostBuffer&&, Shared (views too); or lent: t.borrow(), t.slice(...).borrow(), buffer.borrow().
// Gives an Op of what was given, in this order; with a loan, a launch that runs by sync() in this expression.
// Both have one shape and share no element, on any devices. usage_error for others, and for views that would take too
// many transfers: on a GPU more than 4096 of rows at one distance, such as a large transposed view (a kernel copies
// these faster); between a GPU and pageable memory (tensors and buffers of the CPU), or two GPUs, more than 1024 of
// bytes that lie together. A copy that a GPU cannot do alone, of pageable memory, is work of the CPU's streams.
template <class To, class From>
requires(!Loan<std::remove_cvref_t<To>> && !Loan<std::remove_cvref_t<From>>)
    [[gnu::always_inline]] constexpr auto copy(To&& to, From&& from) {
  using kept_to = std::remove_cvref_t<To>;
  using kept_from = std::remove_cvref_t<From>;
  if constexpr (!detail::accepts_copy<To, From>()) {
    return detail::refused_launch{};
  } else {
    using given_back = detail::given_back<kept_to, kept_from>;
    kept_to taken_to(std::forward<To>(to));  // here, where the optimiser sees what is spent
    kept_from taken_from(std::forward<From>(from));
    return Op<given_back>(detail::new_node<given_back, detail::launch_node<kept_to, kept_from>>(
        detail::copying{}, detail::kernel_description{}, std::move(taken_to), std::move(taken_from)));
  }
}
// With a loan: the result lives no longer than its arguments.
template <class To, class From>
requires(Loan<std::remove_cvref_t<To>> || Loan<std::remove_cvref_t<From>>)
    [[gnu::always_inline]] constexpr auto copy(To&& to TILEWRIGHT_LIFETIME_BOUND,
                                               From&& from TILEWRIGHT_LIFETIME_BOUND) {
  if constexpr (!detail::accepts_copy<To, From>()) {
    return detail::refused_launch{};
  } else {
    return LentOp<std::remove_cvref_t<To>, std::remove_cvref_t<From>>(detail::copying{}, std::forward<To>(to),
                                                                      std::forward<From>(from));
  }
}

}  // namespace tilewright

TILEWRIGHT_END_OWNERS
