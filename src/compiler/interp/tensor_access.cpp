// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/tensor_access.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler::interp {
namespace {

std::size_t at(int position) { return static_cast<std::size_t>(position); }

}  // namespace

covered covered_part(const tile& t, const tensor& whole, const steps& index, const steps& step) {
  covered part{.memory = whole.address, .rank = whole.rank};
  for (int axis = 0; axis < whole.rank; ++axis) {
    const index_t extent = whole.extents[axis], position = index[at(axis)];
    if (extent == 0 || position < 0 || position > (extent - 1) / step[at(axis)]) return covered{.memory = nullptr};
    const index_t start = part.start[at(axis)] = position * step[at(axis)];
    part.lanes[at(axis)] = std::min(t.extent(axis), extent - start);
    part.step[at(axis)] = whole.strides[axis] * t.element_bytes();
    part.memory += start * part.step[at(axis)];
  }
  return part;
}

covered covered_part(const tile& t, const tensor& whole, const steps& index) {
  return covered_part(t, whole, index, extents_of(t.type));
}

namespace {

template <ast::op Operation, class T>
void combine_row(const row& r) {
  for (index_t i = 0; i < r.count; ++i) {
    const std::atomic_ref<T> shared(r.element<T>(0, i));
    const T value = r.element<T>(1, i);
    T before = shared.load(std::memory_order_relaxed);
    while (
        !shared.compare_exchange_weak(before, semantics::binary<Operation>(before, value), std::memory_order_relaxed)) {
    }
  }
}

template <class T>
row_function combine_function(combiner by) {
  switch (by) {
    case combiner::sum:
      return combine_row<ast::op::add, T>;
    case combiner::min:
      return combine_row<ast::op::minimum, T>;
    case combiner::max:
      return combine_row<ast::op::maximum, T>;
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (by == combiner::bit_and) return combine_row<ast::op::bit_and, T>;
    if (by == combiner::bit_or) return combine_row<ast::op::bit_or, T>;
    if (by == combiner::bit_xor) return combine_row<ast::op::bit_xor, T>;
  }
  return nullptr;
}

}  // namespace

row_function combine_function(combiner by, dtype element) {
  return semantics::visit_element(element, [&]<class T>(std::type_identity<T>) -> row_function {
    if constexpr (std::is_arithmetic_v<T> && sizeof(T) >= 4) return combine_function<T>(by);
    return nullptr;  // the rules of modules admit no other element
  });
}

std::int64_t integer_at(const tile& t, index_t n) {
  return semantics::visit_element(t.type.element, [&]<class T>(std::type_identity<T>) -> std::int64_t {
    return semantics::cast<std::int64_t>(t.as<T>()[n]);
  });
}

void fill(const tile& t, std::byte* element) {
  box_of(t.type).add(t.memory, dense_steps(t)).add(element, {}).for_each_row(copy_function(t.element_bytes()));
}

void load(const tile& result, const tensor& from, const steps& index, std::byte* pad) {
  load(result, covered_part(result, from, index), pad);
}

void load(const tile& result, const covered& part, std::byte* pad) {
  std::byte zeros[sizeof(std::uint64_t)] = {};
  fill(result, pad == nullptr ? zeros : pad);
  if (part.memory == nullptr) return;
  box(part.rank, part.lanes.data())
      .add(result.memory, dense_steps(result))
      .add(part.memory, part.step)
      .for_each_row(copy_function(result.element_bytes()));
}

void gather_rows(const tile& result, const tensor& from, const tile& rows, std::int64_t column) {
  const value_type line_type{result.type.element, 2, {1, result.type.extents[1]}};
  const index_t line_bytes = result.extent(1) * result.element_bytes();
  for (index_t r = 0; r < result.extent(0); ++r) {
    load({line_type, result.memory + r * line_bytes}, from, {integer_at(rows, r), column}, nullptr);
  }
}

void store(const tensor& to, const steps& index, const tile& value) {
  const covered part = covered_part(value, to, index);
  if (part.memory == nullptr) return;
  box(to.rank, part.lanes.data())
      .add(part.memory, part.step)
      .add(value.memory, dense_steps(value))
      .for_each_row(copy_function(value.element_bytes()));
}

void store_rows(const tensor& to, const tile& value, const tile& rows, std::int64_t column) {
  const value_type line_type{value.type.element, 2, {1, value.type.extents[1]}};
  const index_t line_bytes = value.extent(1) * value.element_bytes();
  for (index_t r = 0; r < value.extent(0); ++r) {
    store(to, {integer_at(rows, r), column}, {line_type, value.memory + r * line_bytes});
  }
}

void combine(combiner by, const tensor& to, const steps& index, const tile& value) {
  const covered part = covered_part(value, to, index);
  if (part.memory == nullptr) return;
  box(to.rank, part.lanes.data())
      .add(part.memory, part.step)
      .add(value.memory, dense_steps(value))
      .for_each_row(combine_function(by, value.type.element));
}

}  // namespace tilewright::compiler::interp
