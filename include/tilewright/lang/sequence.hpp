// SPDX-License-Identifier: Apache-2.0
// The few type-level tools of the capture: integer sequences and choices. Written out because no standard header may
// be reached from here; sequences stay short (axes, parameters, letters of a name).
#pragma once

namespace tilewright::lang {

template <int...>
struct sequence {};

template <int Count, int... Rest>
struct make_sequence : make_sequence<Count - 1, Count - 1, Rest...> {};
template <int... Rest>
struct make_sequence<0, Rest...> {
  using type = sequence<Rest...>;
};
template <int Count>
using first_integers = typename make_sequence<Count>::type;

template <bool Condition, class A, class B>
struct choose_type {
  using type = A;
};
template <class A, class B>
struct choose_type<false, A, B> {
  using type = B;
};
template <bool Condition, class A, class B>
using choose = typename choose_type<Condition, A, B>::type;

template <class A, class B>
inline constexpr bool same = __is_same(A, B);

// T once for each number: expands to as many function parameters.
template <class T, int>
using repeat = T;

template <class T>
struct remove_const {
  using type = T;
};
template <class T>
struct remove_const<const T> {
  using type = T;
};

constexpr bool is_power_of_two(int number) { return number > 0 && (number & (number - 1)) == 0; }

}  // namespace tilewright::lang
