// SPDX-License-Identifier: Apache-2.0
// Texts that a kernel's author writes for people: string literals, of one line each.
#pragma once

#include "tilewright/ast/print_format.hpp"
#include "tilewright/lang/elementwise.hpp"

namespace tilewright::diagnostics {

template <bool IsLiteral, class Given>
struct kernel_text {
  static_assert(IsLiteral, "a text of a kernel is a string literal");
};

template <bool AreTiles, bool CountOk, class... Given>
struct printed_values {
  static_assert(AreTiles,
                "print takes tiles, scalars and indices; what is known while C++ compiles stands in the text");
  static_assert(CountOk, "print takes at most 16 values");
};

}  // namespace tilewright::diagnostics

namespace tilewright::lang {

// The number of a text of so many characters, the zero at its end included.
constexpr int stated_text(ast::recorder& trace, const char* text, int size) {
  bool is_line = size > 1 && text[size - 1] == 0;
  for (int i = 0; i + 1 < size; ++i) {
    const auto character = static_cast<unsigned char>(text[i]);
    is_line = is_line && character >= 0x20 && character != 0x7f;
  }
  if (!is_line) trace.break_rule(diagnostics::error_text_is_not_one_line);
  return is_line ? trace.intern_text(text) : ast::no_text;
}

template <class Text>
inline constexpr bool is_text_literal = false;
template <int Size>
inline constexpr bool is_text_literal<char[Size]> = true;

// The first argument of print, which has the place of the call: a default argument cannot stand behind a pack.
struct printed_text {
  const char* text;
  int size;
  ast::source_place where;

  template <int Size>
  constexpr printed_text(const char (&given)[Size], ast::source_place at = ast::source_place())
      : text(given), size(Size), where(at) {}
};

constexpr int stated_text(ast::recorder& trace, const printed_text& line, int values) {
  const int number = stated_text(trace, line.text, line.size);
  if (number == ast::no_text) return number;
  const int places = ast::operands_of_text(line.text);
  if (places < 0) trace.break_rule(diagnostics::error_brace_in_a_printed_text_stands_alone);
  if (places >= 0 && places != values) trace.break_rule(diagnostics::error_printed_text_has_other_places, places);
  return number;
}

inline constexpr int most_printed_values = 16;

}  // namespace tilewright::lang
