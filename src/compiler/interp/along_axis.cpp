// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/along_axis.hpp"

#include <algorithm>

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler::interp {
namespace {

using namespace semantics;
using ast::op;

// Calls body(first, step) for each line of elements along the axis, in row-major order of the lines.
template <class Body>
void for_each_line(const tile& t, int axis, Body body) {
  index_t outer = 1, inner = 1;
  for (int i = 0; i < axis; ++i) outer *= t.extent(i);
  for (int i = axis + 1; i < t.type.rank; ++i) inner *= t.extent(i);
  for (index_t o = 0; o < outer; ++o) {
    for (index_t i = 0; i < inner; ++i) body(o * t.extent(axis) * inner + i, inner);
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
void reduce_typed(op which, const tile& result, const tile& operand, int axis) {
  if constexpr (!std::is_same_v<T, bool>) {
    if (which == op::reduce_sum) reduce_lines<op::add, T>(result, operand, axis);
    if (which == op::reduce_product) reduce_lines<op::multiply, T>(result, operand, axis);
    if (which == op::reduce_max) reduce_lines<op::maximum, T>(result, operand, axis);
    if (which == op::reduce_min) reduce_lines<op::minimum, T>(result, operand, axis);
  }
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

template <class T>
void scan_lines(const tile& result, const tile& operand, int axis) {
  if constexpr (!std::is_same_v<T, bool>) {
    const T* in = operand.as<T>();
    T* out = result.as<T>();
    for_each_line(operand, axis, [&](index_t first, index_t step) {
      arithmetic<T> total{0};
      for (index_t k = 0; k < operand.extent(axis); ++k) {
        const index_t i = first + k * step;
        // Started by the first element, not by 0 + it: -0 stays -0.
        total = k == 0 ? static_cast<arithmetic<T>>(in[i]) : binary<op::add>(total, static_cast<arithmetic<T>>(in[i]));
        out[i] = static_cast<T>(total);
      }
    });
  }
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

template <class T>
void mma_typed(const tile& result, const tile& a, const tile& b, const tile& c, std::byte* scratch) {
  using accumulator = arithmetic<T>;
  constexpr index_t chunk = 64;
  const index_t rows = result.extent(0), columns = result.extent(1), depth = a.extent(1);
  // SAFETY: mma_scratch_bytes leaves room for the widest element, and scratch is aligned to 64.
  auto* memory = reinterpret_cast<accumulator*>(scratch);
  const accumulator* left = widened(a, memory);
  const accumulator* right = widened(b, memory + a.size());
  for (index_t m = 0; m < rows; ++m) {
    for (index_t begin = 0; begin < columns; begin += chunk) {
      accumulator total[chunk];
      const index_t count = std::min(chunk, columns - begin);
      const T* start = c.as<T>() + m * columns + begin;
      for (index_t n = 0; n < count; ++n) total[n] = static_cast<accumulator>(start[n]);
      for (index_t k = 0; k < depth; ++k) {
        const accumulator factor = left[m * depth + k];
        const accumulator* line = right + k * columns + begin;
        for (index_t n = 0; n < count; ++n) {
          total[n] = binary<op::add>(total[n], binary<op::multiply>(factor, line[n]));
        }
      }
      T* out = result.as<T>() + m * columns + begin;
      for (index_t n = 0; n < count; ++n) out[n] = static_cast<T>(total[n]);
    }
  }
}

}  // namespace

void reduce(op which, const tile& result, const tile& operand, int axis) {
  visit_element(operand.type.element,
                [&]<class T>(std::type_identity<T>) { reduce_typed<T>(which, result, operand, axis); });
}

void argmax(const tile& result, const tile& operand, int axis) {
  visit_element(operand.type.element, [&]<class T>(std::type_identity<T>) { argmax_lines<T>(result, operand, axis); });
}

void scan_sum(const tile& result, const tile& operand, int axis) {
  visit_element(operand.type.element, [&]<class T>(std::type_identity<T>) { scan_lines<T>(result, operand, axis); });
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
