// SPDX-License-Identifier: Apache-2.0
// Tile: a value of a kernel while it is captured. It has a type and a place in the trace, never a number.
// A Tile is a *variable*: assigning gives it a new value, and a copy (or a move) makes another variable; only so do
// loop-carried values and swaps mean what they say.
#pragma once

#include "tilewright/lang/elementwise.hpp"

namespace tilewright::diagnostics {

template <bool SameElement, bool SameShape, class Variable, class Value>
struct assignment {
  static_assert(SameElement, "a tile variable is given another element type; write cast<T>(x)");
  static_assert(SameShape, "a tile variable is given another shape");
};

template <bool RankOk, bool ExtentsOk>
struct tile_extents {
  static_assert(RankOk, "a tile has at most 6 axes");
  static_assert(ExtentsOk, "an extent of a tile is a positive number or a Dim; dyn is for parameters only");
};

template <bool Testable>
struct tested_tile {
  static_assert(Testable,
                "a tile has no value while the kernel is captured, so if, while, && and ?: cannot test it; "
                "use if_(condition, then, else), or select(condition, a, b)");
};

}  // namespace tilewright::diagnostics

namespace tilewright {

template <class T, Dim... Extents>
class [[nodiscard]] Tile {
  static_assert(Element<T>, "the element of a tile is bool, i8-i64, u8-u64, f16, bf16, f32, f64 or index_element");
  static_assert(sizeof(diagnostics::tile_extents<sizeof...(Extents) <= max_rank,
                                                 (lang::is_tile_extent(Extents) && ... && true)>) != 0);

 public:
  static constexpr bool is_tile = true;
  static constexpr int rank = sizeof...(Extents);
  static constexpr const ast::type_source* type = &ast::type_object<T, Extents...>;
  using element = T;
  using extents = extent_list<Extents...>;
  using tile_type = Tile;  // of a derived class too

  constexpr Tile(const Tile& other)
      : trace_(other.trace_),
        id_(trace_->add(ast::op::copy, type, 1, lang::access::use(other))),
        region_(trace_->region()) {}
  template <AnyTile Other>
  requires(!__is_base_of(Tile, Other)) constexpr Tile(const Other& other)
      : trace_(&lang::access::trace(other)), id_(0), region_(0) {
    check_assignment<Other>();
  }

  constexpr Tile& operator=(const Tile& other) & {
    assign(lang::access::use(other));
    return *this;
  }
  template <AnyTile Other>
  requires(!__is_base_of(Tile, Other)) constexpr auto& operator=(const Other&) & {
    check_assignment<Other>();
    return *this;
  }
  constexpr Tile& operator=(lang::literal<T> value) & {
    trace_->at(value.place);
    assign(lang::add_constant<T, Extents...>(*trace_, value.stated));
    return *this;
  }

  // Refused in the exception specification: that is asked for where this conversion is chosen, not where it is weighed,
  // as in !condition.
  template <class Tested = void>
  constexpr explicit operator bool() const
      noexcept(sizeof(diagnostics::tested_tile<diagnostics::always_false<Tested>>) != 0) {
    return false;
  }

  // With a tile of this type, a scalar of its element, or a literal. All other pairs: see below.
#define TILEWRIGHT_BINARY(symbol, operation)                    \
  constexpr auto operator symbol(lang::operand<Tile> b) const { \
    return lang::binary_here<ast::op::operation>(*this, b);     \
  }
  TILEWRIGHT_BINARY(+, add)
  TILEWRIGHT_BINARY(-, subtract)
  TILEWRIGHT_BINARY(*, multiply)
  TILEWRIGHT_BINARY(/, divide)
  TILEWRIGHT_BINARY(%, remainder)
  TILEWRIGHT_BINARY(&, bit_and)
  TILEWRIGHT_BINARY(|, bit_or)
  TILEWRIGHT_BINARY(^, bit_xor)
  TILEWRIGHT_BINARY(<<, shift_left)
  TILEWRIGHT_BINARY(>>, shift_right)
  TILEWRIGHT_BINARY(<, less)
  TILEWRIGHT_BINARY(<=, less_equal)
  TILEWRIGHT_BINARY(>, greater)
  TILEWRIGHT_BINARY(>=, greater_equal)
#undef TILEWRIGHT_BINARY

#define TILEWRIGHT_COMPOUND(symbol, base) \
  constexpr Tile& operator symbol(lang::operand<Tile> b)& { return *this = *this base b; }
  TILEWRIGHT_COMPOUND(+=, +)
  TILEWRIGHT_COMPOUND(-=, -)
  TILEWRIGHT_COMPOUND(*=, *)
  TILEWRIGHT_COMPOUND(/=, /)
  TILEWRIGHT_COMPOUND(%=, %)
  TILEWRIGHT_COMPOUND(&=, &)
  TILEWRIGHT_COMPOUND(|=, |)
  TILEWRIGHT_COMPOUND(^=, ^)
  TILEWRIGHT_COMPOUND(<<=, <<)
  TILEWRIGHT_COMPOUND(>>=, >>)
#undef TILEWRIGHT_COMPOUND

  constexpr auto operator-() const { return lang::unary<ast::op::negate>(*this); }
  constexpr auto operator~() const { return lang::unary<ast::op::bit_not>(*this); }
  template <class Asked = T>
  constexpr auto operator!() const {
    static_assert(lang::same<Asked, bool>, "! needs a bool tile, such as a comparison gives; ~ inverts bits");
    return lang::unary<ast::op::bit_not>(*this);
  }

 private:
  friend struct lang::access;
  constexpr Tile(ast::recorder* trace, int id, int region) : trace_(trace), id_(id), region_(region) {}

  constexpr void assign(int value) {
    trace_->require_open(region_);
    trace_->require_assignable(id_);
    trace_->add(ast::op::assign, nullptr, 2, id_, value);
  }
  template <class Other>
  static constexpr void check_assignment() {
    constexpr bool element_agrees = lang::same<T, typename Other::element>;
    constexpr bool shape_agrees = !element_agrees || lang::same<extents, typename Other::extents>;
    (void)sizeof(diagnostics::assignment<element_agrees, shape_agrees, diagnostics::show<Tile>,
                                         diagnostics::show<typename Other::tile_type>>);
  }

  ast::recorder* trace_;
  int id_;
  int region_;
};

// A value with no axes. Scalar parameters are such tiles.
template <class T>
using Scalar = Tile<T>;

// Block ids, tile counts, extents and loop variables: one signed 64-bit type apart from all data.
using Index = Tile<index_element>;

// All other pairs: shapes that join, literals on the left, and what is refused with a reason. An operator outside of a
// class cannot learn its line; its record takes that of the last operation that knew.
#define TILEWRIGHT_MIXED(symbol, operation)                                            \
  template <class A, class B>                                                          \
  requires(lang::mixed<A, B>) constexpr auto operator symbol(const A& a, const B& b) { \
    return lang::binary<ast::op::operation>(a, b);                                     \
  }
TILEWRIGHT_MIXED(+, add)
TILEWRIGHT_MIXED(-, subtract)
TILEWRIGHT_MIXED(*, multiply)
TILEWRIGHT_MIXED(/, divide)
TILEWRIGHT_MIXED(%, remainder)
TILEWRIGHT_MIXED(&, bit_and)
TILEWRIGHT_MIXED(|, bit_or)
TILEWRIGHT_MIXED(^, bit_xor)
TILEWRIGHT_MIXED(<<, shift_left)
TILEWRIGHT_MIXED(>>, shift_right)
TILEWRIGHT_MIXED(<, less)
TILEWRIGHT_MIXED(<=, less_equal)
TILEWRIGHT_MIXED(>, greater)
TILEWRIGHT_MIXED(>=, greater_equal)
#undef TILEWRIGHT_MIXED

// == and != are here for all pairs: as members they would lose against their own reversed forms.
template <class A, class B>
requires(AnyTile<A> || AnyTile<B>) constexpr auto operator==(const A& a, const B& b) {
  return lang::binary<ast::op::equal>(a, b);
}
template <class A, class B>
requires(AnyTile<A> || AnyTile<B>) constexpr auto operator!=(const A& a, const B& b) {
  return lang::binary<ast::op::not_equal>(a, b);
}

#define TILEWRIGHT_MIXED_COMPOUND(symbol, base) \
  template <AnyTile A, class B>                 \
  requires(lang::mixed<A, B>) constexpr A& operator symbol(A& a, const B& b) { return a = a base b; }
TILEWRIGHT_MIXED_COMPOUND(+=, +)
TILEWRIGHT_MIXED_COMPOUND(-=, -)
TILEWRIGHT_MIXED_COMPOUND(*=, *)
TILEWRIGHT_MIXED_COMPOUND(/=, /)
TILEWRIGHT_MIXED_COMPOUND(%=, %)
TILEWRIGHT_MIXED_COMPOUND(&=, &)
TILEWRIGHT_MIXED_COMPOUND(|=, |)
TILEWRIGHT_MIXED_COMPOUND(^=, ^)
TILEWRIGHT_MIXED_COMPOUND(<<=, <<)
TILEWRIGHT_MIXED_COMPOUND(>>=, >>)
#undef TILEWRIGHT_MIXED_COMPOUND

}  // namespace tilewright
