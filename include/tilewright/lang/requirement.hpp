// SPDX-License-Identifier: Apache-2.0
// What a kernel asks of its arguments before it runs.
#pragma once

#include "tilewright/lang/text.hpp"
#include "tilewright/lang/views.hpp"

namespace tilewright::diagnostics {

template <bool IsTraced, bool IsBoolean, class Condition>
struct asserted_condition {
  static_assert(IsTraced, "assert_ asks for a traced condition; of constants write a static_assert");
  static_assert(IsBoolean, "assert_ takes a tile of bool");
};

template <bool IsTraced, bool IsScalar, class Condition>
struct requires_condition {
  static_assert(IsTraced, "requires_ asks for a traced condition; of constants write a static_assert");
  static_assert(IsScalar, "requires_ takes one condition for the whole launch, a bool of rank 0");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

// `size`: of the text, 0 where there is none.
template <class Condition>
constexpr void record_assertion(const Condition& condition, const char* text, int size, ast::source_place where) {
  if constexpr (!AnyTile<Condition>) {
    (void)sizeof(diagnostics::asserted_condition<false, true, diagnostics::show<Condition>>);
  } else if constexpr (!same<typename Condition::element, bool>) {
    (void)sizeof(diagnostics::asserted_condition<true, false, diagnostics::show<Condition>>);
  } else {
    ast::recorder& trace = access::trace(condition);
    trace.at(where);
    const int said = size == 0 ? ast::no_text : stated_text(trace, text, size);
    trace.add(ast::op::assertion, nullptr, 1, access::use(condition), said);
  }
}

}  // namespace tilewright::lang

namespace tilewright {

// Refuses a launch (usage_error, naming this line and the values) for which the condition does not hold; costs the
// kernel nothing, and what follows may rely on it, where no branch or loop is around it: an index that it bounds is not
// checked again. The condition is made of comparisons of extents, tile counts, integer parameters and numbers, joined
// by &; one that a launch cannot judge the kernel checks at this line (device_fault), and nothing relies on it.
//   requires_(x.extent(1) % 64 == 0);
//   requires_((first >= 0) & (to_index(first) < x.partition(tile<B>).tiles(0)));
template <class Condition>
constexpr void requires_(const Condition& condition, ast::source_place where = ast::source_place()) {
  if constexpr (!AnyTile<Condition>) {
    (void)sizeof(diagnostics::requires_condition<false, true, diagnostics::show<Condition>>);
  } else if constexpr (Condition::rank != 0 || !lang::same<typename Condition::element, bool>) {
    (void)sizeof(diagnostics::requires_condition<true, false, diagnostics::show<Condition>>);
  } else {
    ast::recorder& trace = lang::access::trace(condition);
    trace.at(where);
    trace.add(ast::op::require, nullptr, 1, lang::access::use(condition));
  }
}

// Fails a launch (device_fault, naming this line, the first element seen and the text) in which an element of the
// condition, a bool tile of any shape, is false where a block gets to this line. The block goes on, and so do the
// others; the launch's outputs are lost, the device and all else stay usable. What is proved costs nothing, and nothing
// after this line relies on it. Lanes past the end of a tensor pass; of what a loop or a branch gives they are loaded
// with a pad that does. The text, a string literal, costs nothing where the condition holds.
//   assert_(loads.load(i) >= 0);
//   assert_(loads.load(i) >= 0, "loads are counted from 0");
template <class Condition>
constexpr void assert_(const Condition& condition, ast::source_place where = ast::source_place()) {
  lang::record_assertion(condition, "", 0, where);
}
template <class Condition, int Size>
constexpr void assert_(const Condition& condition, const char (&text)[Size],
                       ast::source_place where = ast::source_place()) {
  lang::record_assertion(condition, text, Size, where);
}
template <class Condition, class Text>
constexpr void assert_(const Condition&, const Text&, ast::source_place = ast::source_place()) {
  (void)sizeof(diagnostics::kernel_text<false, Text>);
}

// Refuses a launch (usage_error, naming this line and both values) in which the two differ; costs the kernel nothing.
//   require_equal(x.extent(1), y.extent(0));
constexpr void require_equal(const Index& a, lang::tile_index b, ast::source_place where = ast::source_place()) {
  ast::recorder& trace = lang::access::trace(a);
  trace.at(where);
  const int left = lang::access::use(a);
  trace.add(ast::op::require_equal, nullptr, 2, left, b.use(trace));
}

}  // namespace tilewright
