// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/along_axis.hpp"

#include <algorithm>

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler::interp {
namespace {

using namespace semantics;
using ast::op;

// Calls body with what `along_axis` combines by, as a constant.
template <class Body>
void visit_combining(op along_axis, Body body) {
  switch (ast::combining_op(along_axis)) {
    case op::add:
      return body(std::integral_constant<op, op::add>{});
    case op::multiply:
      return body(std::integral_constant<op, op::multiply>{});
    case op::maximum:
      return body(std::integral_constant<op, op::maximum>{});
    default:
      return body(std::integral_constant<op, op::minimum>{});
  }
}

template <op Which, class T>
void reduce_lines(const tile& result, const tile& operand, int axis) {
  using accumulator = arithmetic<T>;
  const T* in = operand.as<T>();
  T* out = result.as<T>();
  for_each_line(operand, axis, [&](index_t first, index_t step) {
    auto total = static_cast<accumulator>(in[first]);
    for (index_t k = 1; k < operand.extent(axis); ++k) {
      total = binary<Which>(total, static_cast<accumulator>(in[first + k * step]));
    }
    *out++ = static_cast<T>(total);
  });
}

template <class T>
void argmax_lines(const tile& result, const tile& operand, int axis) {
  const T* in = operand.as<T>();
  auto* out = result.as<std::int64_t>();
  for_each_line(operand, axis, [&](index_t first, index_t step) {
    auto greatest = static_cast<arithmetic<T>>(in[first]);
    index_t position = 0;
    for (index_t k = 1; k < operand.extent(axis) && greatest == greatest; ++k) {
      const auto next = static_cast<arithmetic<T>>(in[first + k * step]);
      if (next > greatest || next != next) {
        greatest = next;
        position = k;
      }
    }
    *out++ = position;
  });
}

template <op Which, class T>
void scan_lines(const tile& result, const tile& operand, int axis, bool is_reverse) {
  const T* in = operand.as<T>();
  T* out = result.as<T>();
  const index_t extent = operand.extent(axis);
  for_each_line(operand, axis, [&](index_t first, index_t step) {
    arithmetic<T> total{0};
    for (index_t k = 0; k < extent; ++k) {
      const index_t i = first + (is_reverse ? extent - 1 - k : k) * step;
      const auto next = static_cast<arithmetic<T>>(in[i]);
      total = k == 0 ? next : binary<Which>(total, next);  // not 0 + the first: -0 stays -0
      out[i] = static_cast<T>(total);
    }
  });
}

// The elements of `t` in the type that the product is computed in.
template <class To>
const To* widened(const tile& t, To* to) {
  return visit_element(t.type.element, [&]<class From>(std::type_identity<From>) -> const To* {
    const From* from = t.as<From>();
    for (index_t i = 0; i < t.size(); ++i) to[i] = semantics::cast<To>(from[i]);
    return to;
  });
}

struct matrix_shape {
  index_t rows, depth, columns;
};

// One product: `left` and `right` are widened, `start` and `out` of the result's element.
template <class T, class Accumulator>
void multiply(const matrix_shape& shape, const Accumulator* left, const Accumulator* right, const T* start, T* out) {
  constexpr index_t chunk = 64;
  for (index_t m = 0; m < shape.rows; ++m) {
    for (index_t begin = 0; begin < shape.columns; begin += chunk) {
      Accumulator total[chunk];
      const index_t count = std::min(chunk, shape.columns - begin), place = m * shape.columns + begin;
      for (index_t n = 0; n < count; ++n) total[n] = static_cast<Accumulator>(start[place + n]);
      for (index_t k = 0; k < shape.depth; ++k) {
        const Accumulator factor = left[m * shape.depth + k];
        const Accumulator* line = right + k * shape.columns + begin;
        for (index_t n = 0; n < count; ++n) {
          total[n] = binary<op::add>(total[n], binary<op::multiply>(factor, line[n]));
        }
      }
      for (index_t n = 0; n < count; ++n) out[place + n] = static_cast<T>(total[n]);
    }
  }
}

template <class T>
void mma_typed(const tile& result, const tile& a, const tile& b, const tile& c, std::byte* scratch) {
  using accumulator = arithmetic<T>;
  const int column = result.type.rank - 1, row = column - 1;
  const matrix_shape shape{result.extent(row), a.extent(column), result.extent(column)};
  // SAFETY: mma_scratch_bytes leaves room for the widest element, and scratch is aligned to 64.
  auto* memory = reinterpret_cast<accumulator*>(scratch);
  const accumulator* left = widened(a, memory);
  const accumulator* right = widened(b, memory + a.size());
  const index_t batch = row == 0 ? 1 : result.extent(0);
  for (index_t n = 0; n < batch; ++n) {
    const index_t place = n * shape.rows * shape.columns;
    multiply(shape, left + n * shape.rows * shape.depth, right + n * shape.depth * shape.columns, c.as<T>() + place,
             result.as<T>() + place);
  }
}

}  // namespace

void reduce(op which, const tile& result, const tile& operand, int axis) {
  visit_element(operand.type.element, [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      visit_combining(which, [&](auto combining) { reduce_lines<combining.value, T>(result, operand, axis); });
    }
  });
}

void argmax(const tile& result, const tile& operand, int axis) {
  visit_element(operand.type.element, [&]<class T>(std::type_identity<T>) { argmax_lines<T>(result, operand, axis); });
}

void scan(op which, const tile& result, const tile& operand, int axis, bool is_reverse) {
  visit_element(operand.type.element, [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bool>) {
      visit_combining(which,
                      [&](auto combining) { scan_lines<combining.value, T>(result, operand, axis, is_reverse); });
    }
  });
}

void mma(const tile& result, const tile& a, const tile& b, const tile& c, std::byte* scratch) {
  visit_element(c.type.element, [&]<class T>(std::type_identity<T>) {
    if constexpr (!std::is_same_v<T, bool>) mma_typed<T>(result, a, b, c, scratch);
  });
}

std::size_t mma_scratch_bytes(const value_type& a, const value_type& b) {
  return static_cast<std::size_t>(a.elements() + b.elements()) * sizeof(std::uint64_t);
}

}  // namespace tilewright::compiler::interp
