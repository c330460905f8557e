// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/element_wise.hpp"

#include "compiler/rounded_semantics.hpp"
#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler::interp {
namespace {

using namespace semantics;
using ast::op;
using ast::op_category;

template <op Which, class T>
void unary_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) r.element<T>(0, i) = unary<Which>(r.element<T>(1, i));
}
template <op Which, class T>
void binary_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) r.element<T>(0, i) = binary<Which>(r.element<T>(1, i), r.element<T>(2, i));
}
template <op Which, class T>
void comparison_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) {
    r.element<bool>(0, i) = comparison<Which>(r.element<T>(1, i), r.element<T>(2, i));
  }
}
template <class T>
void select_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) {
    r.element<T>(0, i) = semantics::select(r.element<bool>(1, i), r.element<T>(2, i), r.element<T>(3, i));
  }
}
template <class T>
void fma_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) {
    r.element<T>(0, i) = semantics::fma(r.element<T>(1, i), r.element<T>(2, i), r.element<T>(3, i));
  }
}
template <class To, class From>
void cast_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) r.element<To>(0, i) = semantics::cast<To>(r.element<From>(1, i));
}
template <class To, class From>
void bitcast_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) r.element<To>(0, i) = semantics::bitcast<To>(r.element<From>(1, i));
}

template <class T>
row_function function_on(op which) {
  if (which == op::select) return select_row<T>;
  if (which == op::fma) {
    if constexpr (is_float<T>) return fma_row<T>;
  }
  row_function found = nullptr;
  visit_op<op_category::unary>(which, [&](auto chosen) {
    if constexpr (is_accepted<T>(chosen())) found = unary_row<chosen(), T>;
  });
  visit_op<op_category::binary>(which, [&](auto chosen) {
    if constexpr (is_accepted<T>(chosen())) found = binary_row<chosen(), T>;
  });
  visit_op<op_category::comparison>(which, [&](auto chosen) {
    if constexpr (is_accepted<T>(chosen())) found = comparison_row<chosen(), T>;
  });
  return found;
}

template <class To, class From>
row_function conversion(op which) {
  if (which == op::cast) return cast_row<To, From>;
  if constexpr (sizeof(To) == sizeof(From)) return bitcast_row<To, From>;
  return nullptr;
}

template <op Which, ast::rounding How, class T>
void rounded_row_of(const row& r) {
  constexpr int operands = ast::info(Which).operands;
  for (index_t i = 0; i < r.count; ++i) {
    const T a = r.element<T>(1, i), b = operands > 1 ? r.element<T>(2, i) : a,
            c = operands > 2 ? r.element<T>(3, i) : a;
    if constexpr (How == ast::rounding::flushed) {
      r.element<T>(0, i) = flushed<Which>(a, b, c);
    } else {
      r.element<T>(0, i) = rounded(Which, How, a, b, c);
    }
  }
}

template <ast::rounding How, class T, op... Which>
row_function rounded_row_among(op which) {
  row_function found = nullptr;
  ((which == Which ? void(found = rounded_row_of<Which, How, T>) : void()), ...);
  return found;
}
row_function flushed_row(op which) {
  return rounded_row_among<ast::rounding::flushed, f32, op::add, op::subtract, op::multiply, op::divide, op::sqrt,
                           op::fma, op::rsqrt, op::exp2, op::minimum, op::maximum>(which);
}
template <class T, ast::rounding How>
row_function rounded_row(op which) {
  return rounded_row_among<How, T, op::add, op::subtract, op::multiply, op::divide, op::sqrt, op::fma>(which);
}

template <class T>
row_function rounded_row(op which, ast::rounding how) {
  if (how == ast::rounding::toward_zero) return rounded_row<T, ast::rounding::toward_zero>(which);
  if (how == ast::rounding::downward) return rounded_row<T, ast::rounding::downward>(which);
  return rounded_row<T, ast::rounding::upward>(which);
}

}  // namespace

row_function element_wise_function(op which, dtype result, dtype operand) {
  return visit_element(operand, [&]<class T>(std::type_identity<T>) -> row_function {
    if (ast::info(which).category != op_category::convert) return function_on<T>(which);
    return visit_element(result, [&]<class To>(std::type_identity<To>) { return conversion<To, T>(which); });
  });
}

row_function rounded_function(op which, ast::rounding how, dtype element) {
  if (how == ast::rounding::flushed) return flushed_row(which);
  if (!ast::is_directed(how)) return element_wise_function(which, element, element);
  if (element == dtype::f32) return rounded_row<f32>(which, how);
  return rounded_row<f64>(which, how);
}

}  // namespace tilewright::compiler::interp
