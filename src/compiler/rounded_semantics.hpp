// SPDX-License-Identifier: Apache-2.0
// Arithmetic on single f32 and f64 that is rounded as an instruction says. The processor does it: IEEE 754 defines each
// result that is rounded in a direction. What is approximate elsewhere is to nearest even here.
#pragma once

#include <cfenv>
#include <cmath>
#include <limits>

#include "compiler/scalar_semantics.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

inline ast::rounding rounding_of(const instruction& i) {
  const bool is_stated = ast::states_rounding(i.op) && !i.attributes.empty();
  return is_stated ? static_cast<ast::rounding>(i.attributes[0]) : ast::rounding::nearest_even;
}

namespace semantics {

// The thread's operations round so while it lives. Their operands and result are volatile, as compilers do not know.
class rounding_scope {
 public:
  explicit rounding_scope(ast::rounding how) : before_(std::fegetround()) {
    constexpr int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    std::fesetround(modes[static_cast<int>(how)]);
  }
  ~rounding_scope() { std::fesetround(before_); }
  rounding_scope(const rounding_scope&) = delete;
  rounding_scope& operator=(const rounding_scope&) = delete;

 private:
  int before_;
};

template <class T>
T rounded(ast::op which, ast::rounding how, T a, T b, T c) {
  const rounding_scope scope(how);
  const volatile T x = a, y = b, z = c;
  volatile T result = x;
  if (which == ast::op::add) result = x + y;
  if (which == ast::op::subtract) result = x - y;
  if (which == ast::op::multiply) result = x * y;
  if (which == ast::op::divide) result = x / y;
  if (which == ast::op::sqrt) result = std::sqrt(x);
  if (which == ast::op::fma) result = std::fma(x, y, z);
  return result;
}

// A denormal counts as 0 of its sign.
inline float flushed(float x) { return std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x; }

template <ast::op Which>
float flushed(float a, float b, float c) {
  a = flushed(a), b = flushed(b), c = flushed(c);
  constexpr int operands = ast::info(Which).operands;
  if constexpr (operands == 1) {
    return flushed(unary<Which>(a));
  } else if constexpr (operands == 2) {
    return flushed(binary<Which>(a, b));
  } else {
    return flushed(fma(a, b, c));
  }
}

}  // namespace semantics
}  // namespace tilewright::compiler
