// SPDX-License-Identifier: Apache-2.0
// The text of a line that a kernel prints: {} stands for the next operand, {{ and }} for a brace.
#pragma once

namespace tilewright::ast {

// How many operands the text takes; -1 where a brace stands alone.
constexpr int operands_of_text(const char* text) {
  int count = 0;
  for (; *text != 0; ++text) {
    if (*text != '{' && *text != '}') continue;
    const bool is_place = *text == '{' && text[1] == '}';
    if (!is_place && text[1] != *text) return -1;
    if (is_place) ++count;
    ++text;
  }
  return count;
}

}  // namespace tilewright::ast
