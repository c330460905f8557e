// SPDX-License-Identifier: Apache-2.0
#include "compiler/scalar_fold.hpp"

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler {
namespace {

using namespace semantics;
using ast::op_category;

template <class T>
std::optional<std::int64_t> fold_as(ast::op which, std::int64_t a, std::int64_t b, std::int64_t c) {
  std::optional<std::int64_t> result;
  if (which == ast::op::select) return a != 0 ? b : c;
  if (which == ast::op::fma) {
    if constexpr (is_float<T>) {
      result = to_constant(semantics::fma(from_constant<T>(a), from_constant<T>(b), from_constant<T>(c)));
    }
    return result;
  }
  visit_op<op_category::unary>(which, [&](auto chosen) {
    if constexpr (is_accepted<T>(chosen())) result = to_constant(unary<chosen()>(from_constant<T>(a)));
  });
  visit_op<op_category::binary>(which, [&](auto chosen) {
    if constexpr (is_accepted<T>(chosen())) {
      result = to_constant(binary<chosen()>(from_constant<T>(a), from_constant<T>(b)));
    }
  });
  visit_op<op_category::comparison>(which, [&](auto chosen) {
    if constexpr (is_accepted<T>(chosen())) {
      result = comparison<chosen()>(from_constant<T>(a), from_constant<T>(b)) ? 1 : 0;
    }
  });
  return result;
}

}  // namespace

std::optional<std::int64_t> fold(ast::op which, dtype type, std::int64_t a, std::int64_t b, std::int64_t c) {
  return visit_element(type, [&]<class T>(std::type_identity<T>) { return fold_as<T>(which, a, b, c); });
}

std::int64_t fold_cast(dtype to, dtype from, std::int64_t word) {
  return visit_element(from, [&]<class From>(std::type_identity<From>) {
    return visit_element(to, [&]<class To>(std::type_identity<To>) {
      return to_constant(semantics::cast<To>(from_constant<From>(word)));
    });
  });
}

std::optional<std::int64_t> fold_bitcast(dtype to, dtype from, std::int64_t word) {
  return visit_element(from, [&]<class From>(std::type_identity<From>) {
    return visit_element(to, [&]<class To>(std::type_identity<To>) -> std::optional<std::int64_t> {
      if constexpr (sizeof(To) == sizeof(From)) {
        const To result = semantics::bitcast<To>(from_constant<From>(word));
        if (semantics::comparison<ast::op::equal>(result, result)) return to_constant(result);
      }
      return std::nullopt;
    });
  });
}

}  // namespace tilewright::compiler
