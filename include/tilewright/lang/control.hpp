// SPDX-License-Identifier: Apache-2.0
// Loops and branches of a kernel. A C++ loop or `if` over constants unrolls; these two are there when the kernel runs.
#pragma once

#include "tilewright/lang/aggregate.hpp"
#include "tilewright/lang/views.hpp"

namespace tilewright::diagnostics {

template <bool Traced, bool Types, class... Bounds>
struct range_bounds {
  static_assert(Traced, "range of constants needs a block: write b.range(8), or a C++ loop over ints to unroll it");
  static_assert(Types, "the bounds of a range are integers or Index values; write to_index(n) for an integer scalar");
};
template <bool IsTraced, bool IsScalar, bool IsBool, class Condition>
struct condition_of_if {
  static_assert(IsTraced, "if_ needs a traced condition; for a constant one write if or if constexpr");
  static_assert(IsScalar, "if_ needs a condition of rank 0; for tiles use select(condition, a, b)");
  static_assert(IsBool, "if_ needs a bool condition, such as a comparison gives");
};
template <bool IsTraced, bool IsScalar, bool IsBool, class Condition>
struct condition_of_while {
  static_assert(IsTraced, "while_ needs a traced condition; for a constant one write a C++ loop, which unrolls");
  static_assert(IsScalar, "while_ needs a condition of rank 0; for tiles reduce it: reduce_max over each axis");
  static_assert(IsBool, "while_ needs a bool condition, such as a comparison gives");
};
template <bool GivesNothing, class Body>
struct body_of_while {
  static_assert(GivesNothing, "the body of while_ gives nothing; assign to tiles made before the loop");
};
template <bool HasElse, bool AreTiles, bool SameTypes, class Then, class Else>
struct branches_of_if {
  static_assert(HasElse, "an if_ that gives a value needs an else branch");
  static_assert(AreTiles,
                "a branch of if_ gives a tile or nothing, or a struct of tiles alone: assignable, all of them public, "
                "without a constructor");
  static_assert(SameTypes, "both branches of if_ must give the same type");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

// The variable of a traced loop: an Index that may go unused.
class [[maybe_unused]] LoopIndex : public Index {
 public:
  constexpr explicit LoopIndex(const Index& made) = delete;
  LoopIndex& operator=(const LoopIndex&) = delete;

 private:
  friend struct lang::access;
  using Index::Index;
};

// What range() gives; only for the head of a range-based for.
class LoopRange {
 public:
  // `takes_all`: each number from the literal 0 on.
  constexpr LoopRange(ast::recorder& trace, int from, int to, int step, bool takes_all, bool reduction = false)
      : trace_(trace),
        from_(from),
        to_(to),
        step_(step),
        location_(trace.location()),
        takes_all_(takes_all),
        reduction_(reduction) {}
  LoopRange(const LoopRange&) = delete;
  LoopRange& operator=(const LoopRange&) = delete;
  constexpr ~LoopRange() {
    if (!open_) return;
    trace_.break_rule_at(location_, diagnostics::error_break_or_return_out_of_a_traced_loop);
    trace_.leave(true);
  }

  // Promises that the tiles carried by the loop start neutral and only accumulate; then it may be split. Verified.
  constexpr LoopRange reduction() const { return LoopRange(trace_, from_, to_, step_, takes_all_, true); }

  struct sentinel {};
  struct iterator {
    LoopRange& loop;
    int variable;
    constexpr bool operator!=(sentinel) const { return loop.open_; }
    constexpr LoopIndex operator*() const { return lang::access::make<LoopIndex>(loop.trace_, variable); }
    constexpr void operator++() {
      loop.trace_.leave(true);
      loop.trace_.add(ast::op::for_end, nullptr, 0);
      loop.open_ = false;
    }
  };
  constexpr iterator begin() {
    const int variable = trace_.add(ast::op::for_begin, Index::type, 3, from_, to_, step_, reduction_ ? 1 : 0);
    trace_.enter(variable, takes_all_ ? to_ : -1);
    open_ = true;
    return {*this, variable};
  }
  constexpr sentinel end() const { return {}; }

 private:
  ast::recorder& trace_;
  int from_, to_, step_;
  std::int32_t location_;
  bool takes_all_, reduction_;
  bool open_ = false;
};

namespace lang {

template <class X>
constexpr bool is_literal_of(const X& x, long long number) {
  if constexpr (is_integer_literal<X>) return static_cast<long long>(x) == number;
  return false;
}

template <class From, class To, class Step>
constexpr auto make_range(ast::recorder& trace, const From& from, const To& to, const Step& step,
                          ast::source_place where) {
  if constexpr (!(is_tile_index<From> && is_tile_index<To> && is_tile_index<Step>)) {
    (void)sizeof(diagnostics::range_bounds<true, false, diagnostics::show<From>, diagnostics::show<To>,
                                           diagnostics::show<Step>>);
    return LoopRange(trace, 0, 0, 0, false);
  } else {
    trace.at(where);
    if constexpr (!AnyTile<Step>) {
      const auto distance = static_cast<long long>(step);
      if (distance < 1) trace.break_rule(diagnostics::error_loop_step_is_not_positive, distance);
    }
    const int first = use_as<index_element>(trace, from);
    const int last = use_as<index_element>(trace, to);
    return LoopRange(trace, first, last, use_as<index_element>(trace, step),
                     is_literal_of(from, 0) && is_literal_of(step, 1));
  }
}

}  // namespace lang

// for (auto i : range(n)), range(from, to), range(from, to, step): up to, without, the last one.
template <AnyTile To>
constexpr auto range(const To& to, ast::source_place where = ast::source_place()) {
  return lang::make_range(lang::access::trace(to), 0, to, 1, where);
}
template <Operand From, Operand To>
requires(AnyTile<From> || AnyTile<To>) constexpr LoopRange
    range(const From& from, const To& to, ast::source_place where = ast::source_place()) {
  return lang::make_range(lang::trace_of(from, to), from, to, 1, where);
}
template <Operand From, Operand To, Operand Step>
requires(AnyTile<From> || AnyTile<To> || AnyTile<Step>) constexpr LoopRange
    range(const From& from, const To& to, const Step& step, ast::source_place where = ast::source_place()) {
  return lang::make_range(lang::trace_of(from, to, step), from, to, step, where);
}
// Without a traced bound there is no trace to record in.
struct no_loop {
  constexpr const int* begin() const { return nullptr; }
  constexpr const int* end() const { return nullptr; }
};
template <Literal... U>
constexpr auto range(U...) {
  (void)sizeof(diagnostics::range_bounds<diagnostics::always_false<U...>, true, U...>);
  return no_loop{};
}

namespace lang {

struct nothing {
  constexpr void operator()() const {}
};

// Runs one branch in a region of its own and gives the outputs it stored.
template <class Branch>
constexpr unsigned long long traced_branch(ast::recorder& trace, const Branch& branch) {
  const unsigned long long before = trace.stored();
  trace.enter();
  branch();
  trace.leave(false);
  const unsigned long long after = trace.stored();
  trace.set_stored(before);
  return after;
}

constexpr void join_stores(ast::recorder& trace, unsigned long long then, unsigned long long otherwise) {
  if (then != otherwise) trace.break_rule(diagnostics::error_output_is_stored_on_one_branch_only);
  trace.set_stored(then | otherwise);
}

template <class C>
struct condition_check {
  static constexpr bool traced = false, scalar = true, boolean = true, ok = false;
};
template <AnyTile C>
struct condition_check<C> {
  static constexpr bool traced = true, scalar = C::rank == 0, boolean = !scalar || same<typename C::element, bool>;
  static constexpr bool ok = scalar && boolean;
};

template <class T>
inline constexpr bool is_branch_value = is_aggregate_of_tiles<T>();
template <>
inline constexpr bool is_branch_value<void> = false;

template <class Value, class Then, class Else>
constexpr Value if_value(ast::recorder& trace, int condition, const Then& then, const Else& otherwise) {
  Value result = make_undefined<Value>(trace);
  trace.add(ast::op::if_begin, nullptr, 1, condition);
  const unsigned long long stored_then = traced_branch(trace, [&] { result = then(); });
  trace.add(ast::op::if_else, nullptr, 0);
  const unsigned long long stored_else = traced_branch(trace, [&] { result = otherwise(); });
  trace.add(ast::op::if_end, nullptr, 0);
  join_stores(trace, stored_then, stored_else);
  return result;
}

template <class Then, class Else>
constexpr void if_statement(ast::recorder& trace, int condition, const Then& then, const Else& otherwise) {
  trace.add(ast::op::if_begin, nullptr, 1, condition);
  const unsigned long long stored_then = traced_branch(trace, then);
  trace.add(ast::op::if_else, nullptr, 0);
  const unsigned long long stored_else = traced_branch(trace, otherwise);
  trace.add(ast::op::if_end, nullptr, 0);
  join_stores(trace, stored_then, stored_else);
}

// What b.while_() is: a region in which the condition is recorded, then the body.
template <class Condition, class Body>
constexpr void while_loop(ast::recorder& trace, const Condition& condition, const Body& body, ast::source_place where) {
  using asked = decltype(condition());
  using check = condition_check<asked>;
  if constexpr (!check::ok) {
    (void)sizeof(
        diagnostics::condition_of_while<check::traced, check::scalar, check::boolean, diagnostics::show<asked>>);
  } else if constexpr (!same<decltype(body()), void>) {
    (void)sizeof(diagnostics::body_of_while<false, diagnostics::show<decltype(body())>>);
  } else {
    trace.at(where);
    const std::int32_t location = trace.location();
    const int begin = trace.add(ast::op::while_begin, nullptr, 0);
    trace.enter(begin);
    const int outer = trace.set_condition_from(begin);
    trace.add(ast::op::while_condition, nullptr, 1, access::use(condition()));
    trace.set_condition_from(outer);
    const int assigned_before = trace.least_assigned();
    trace.set_least_assigned(ast::recorder::none_assigned);
    body();
    const int assigned = trace.least_assigned();
    if (assigned > begin) trace.break_rule_at(location, diagnostics::error_while_assigns_nothing);
    trace.set_least_assigned(assigned < assigned_before ? assigned : assigned_before);
    trace.leave(true);
    trace.add(ast::op::while_end, nullptr, 0);
  }
}

}  // namespace lang

// A branch of the running kernel. Branches are lambdas without parameters, `[&] { ... }`; when both return a tile,
// or a struct or std::array of tiles alone (also of such structs and arrays), if_ gives it.
template <class C, class Then, class Else>
constexpr auto if_(const C& condition, const Then& then, const Else& otherwise,
                   ast::source_place where = ast::source_place()) {
  using value = decltype(then());
  using other = decltype(otherwise());
  using check = lang::condition_check<C>;
  if constexpr (!check::ok) {
    (void)sizeof(diagnostics::condition_of_if<check::traced, check::scalar, check::boolean, diagnostics::show<C>>);
  } else {
    ast::recorder& trace = lang::access::trace(condition);
    trace.at(where);
    const int id = lang::access::use(condition);
    if constexpr (lang::same<value, void> && lang::same<other, void>) {
      lang::if_statement(trace, id, then, otherwise);
    } else if constexpr (lang::is_branch_value<value> && lang::same<value, other>) {
      return lang::if_value<value>(trace, id, then, otherwise);
    } else {
      constexpr bool has_else = !lang::same<Else, lang::nothing>,
                     are_tiles = lang::is_branch_value<value> && lang::is_branch_value<other>;
      (void)sizeof(diagnostics::branches_of_if < has_else, !has_else || are_tiles, !(has_else && are_tiles),
                   diagnostics::show<value>, diagnostics::show < other >>);
    }
  }
}
template <class C, class Then>
constexpr auto if_(const C& condition, const Then& then, ast::source_place where = ast::source_place()) {
  return if_(condition, then, lang::nothing{}, where);
}

}  // namespace tilewright
