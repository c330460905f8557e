// SPDX-License-Identifier: Apache-2.0
// Dim: one extent of a tile or a parameter, usable as a template argument: a number, a name that a launch binds, an
// expression over such names, or `dyn` (any extent; parameters only).
#pragma once

#include <cstdint>

#include "tilewright/base/dim_expression.hpp"
#include "tilewright/base/dtype.hpp"

namespace tilewright::diagnostics {

void error_dim_name_is_no_identifier();
void error_dyn_takes_no_part_in_arithmetic();

}  // namespace tilewright::diagnostics

namespace tilewright {

inline constexpr int max_rank = 6;

struct Dim;

// What `BK = 64` gives: a value for one named Dim.
struct dim_binding;

struct Dim {
  enum class kind_type : std::uint8_t { constant, symbol, expression, dynamic };

  static constexpr int name_capacity = dim_expressions::dim_name_capacity;
  static constexpr int longest_name = 15;  // leaves room for arithmetic
  char name[name_capacity] = {};           // of an expression its canonical text: 2*BM
  std::int32_t value = 0;
  kind_type kind = kind_type::constant;

  constexpr Dim(int extent) : value(extent) {}  // implicit: tile<64, BK>
  template <unsigned long Size>
  consteval Dim(const char (&text)[Size]) : kind(kind_type::symbol) {
    static_assert(Size >= 2 && Size <= longest_name + 1, "a Dim's name has 1 to 15 characters");
    for (unsigned long i = 0; i < Size && i < name_capacity; ++i) name[i] = text[i];
    if (!dim_expressions::is_name(name)) diagnostics::error_dim_name_is_no_identifier();
  }
  constexpr explicit Dim(kind_type which) : kind(which) {}

  // Letter by letter up to the end of a name: kernels are captured with fewer steps than with whole arrays.
  constexpr bool operator==(const Dim& other) const {
    if (kind != other.kind || value != other.value) return false;
    int place = 0;
    while (name[place] != 0 && name[place] == other.name[place]) ++place;
    return name[place] == other.name[place];
  }
  constexpr bool is_constant() const { return kind == kind_type::constant; }
  // A name, or an expression over names: has its number at a launch only.
  constexpr bool is_symbol() const { return kind == kind_type::symbol || kind == kind_type::expression; }
  constexpr bool is_expression() const { return kind == kind_type::expression; }
  constexpr bool is_dynamic() const { return kind == kind_type::dynamic; }
  constexpr bool is_one() const { return kind == kind_type::constant && value == 1; }

  // `BK = 64` in with(...) and defaults(...). Assigning never changes the Dim itself.
  constexpr dim_binding operator=(int extent) const;

  // Expressions. Two that expand to the same sum of products are one Dim: BM * 2, BM + BM. Bind computes their values
  // and refuses what is under 1, does not divide or overflows. a / b must divide; ceil_div(a, b) rounds up.
  friend constexpr Dim operator+(const Dim& a, const Dim& b);
  friend constexpr Dim operator-(const Dim& a, const Dim& b);
  friend constexpr Dim operator*(const Dim& a, const Dim& b);
  friend constexpr Dim operator/(const Dim& a, const Dim& b);
  friend constexpr Dim ceil_div(const Dim& a, const Dim& b);
};

struct dim_binding {
  Dim dim;
  index_t extent;
};

constexpr dim_binding Dim::operator=(int extent) const { return {*this, extent}; }

inline constexpr Dim dyn{Dim::kind_type::dynamic};

namespace dim_expressions {

constexpr dim_sum to_sum(const Dim& dim) {
  if (dim.is_dynamic()) diagnostics::error_dyn_takes_no_part_in_arithmetic();
  dim_sums algebra;
  return dim.is_constant() ? dim_sums::number(dim.value) : dim_reader<dim_sums>(dim.name, algebra).read();
}

constexpr Dim to_dim(const dim_sum& sum) {
  if (sum.is_number()) {
    const long long number = sum.number();
    if (number != static_cast<std::int32_t>(number)) diagnostics::error_dim_expression_has_a_number_that_is_too_large();
    return Dim(static_cast<std::int32_t>(number));
  }
  const dim_text text = to_text(sum);
  if (text.size >= dim_name_capacity) diagnostics::error_dim_expression_has_over_31_characters_or_8_terms();
  Dim made(is_name(text.letters) ? Dim::kind_type::symbol : Dim::kind_type::expression);
  for (int i = 0; i < text.size; ++i) made.name[i] = text.letters[i];
  return made;
}

}  // namespace dim_expressions

constexpr Dim operator+(const Dim& a, const Dim& b) {
  return dim_expressions::to_dim(
      dim_expressions::dim_sums::add(dim_expressions::to_sum(a), dim_expressions::to_sum(b)));
}
constexpr Dim operator-(const Dim& a, const Dim& b) {
  return dim_expressions::to_dim(
      dim_expressions::dim_sums::subtract(dim_expressions::to_sum(a), dim_expressions::to_sum(b)));
}
constexpr Dim operator*(const Dim& a, const Dim& b) {
  return dim_expressions::to_dim(
      dim_expressions::dim_sums::multiply(dim_expressions::to_sum(a), dim_expressions::to_sum(b)));
}
constexpr Dim operator/(const Dim& a, const Dim& b) {
  return dim_expressions::to_dim(
      dim_expressions::dim_sums::divide(dim_expressions::to_sum(a), dim_expressions::to_sum(b)));
}
constexpr Dim ceil_div(const Dim& a, const Dim& b) {
  return dim_expressions::to_dim(
      dim_expressions::dim_sums::ceil_div(dim_expressions::to_sum(a), dim_expressions::to_sum(b)));
}

// A list of extents as an empty value: `tile<BM, BK>` is passed to functions, never as an explicit template argument.
template <Dim... Extents>
struct extent_list {
  static constexpr int rank = sizeof...(Extents);
};
template <Dim... Extents>
inline constexpr extent_list<Extents...> tile{};

}  // namespace tilewright
