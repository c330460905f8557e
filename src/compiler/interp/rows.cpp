// SPDX-License-Identifier: Apache-2.0
#include "compiler/interp/rows.hpp"

#include <cstring>

namespace tilewright::compiler::interp {
namespace {

std::size_t at(int position) { return static_cast<std::size_t>(position); }

template <class Word>
void copy_row(const row& r) {
  constexpr auto size = static_cast<index_t>(sizeof(Word));
  if (r.step[0] == size && r.step[1] == size) {
    std::memcpy(r.at[0], r.at[1], static_cast<std::size_t>(r.count * size));
    return;
  }
  for (index_t i = 0; i < r.count; ++i) r.element<Word>(0, i) = r.element<Word>(1, i);
}

}  // namespace

box::box(int rank, const index_t* extents) : rank_(rank) {
  for (int axis = 0; axis < rank; ++axis) extents_[at(axis)] = extents[axis];
}

box& box::add(std::byte* memory, const steps& step) {
  memory_[at(arrays_)] = memory;
  steps_[at(arrays_)] = step;
  ++arrays_;
  return *this;
}

// Whether axis `outer` and the next one are one longer axis in every array.
bool box::continues(int outer) const {
  for (int array = 0; array < arrays_; ++array) {
    const steps& step = steps_[at(array)];
    if (step[at(outer)] != step[at(outer + 1)] * extents_[at(outer + 1)]) return false;
  }
  return true;
}

// Makes rows as long as can be: axes of one element go, neighbours that continue each other become one.
void box::join_axes() {
  for (int axis = rank_ - 1; axis >= 0; --axis) {
    const bool single = extents_[at(axis)] == 1;
    if (!single && (axis + 1 >= rank_ || !continues(axis))) continue;
    if (!single) extents_[at(axis + 1)] *= extents_[at(axis)];
    --rank_;
    for (int next = axis; next < rank_; ++next) {
      extents_[at(next)] = extents_[at(next + 1)];
      for (steps& step : steps_) step[at(next)] = step[at(next + 1)];
    }
  }
}

void box::for_each_row(row_function run) const {
  box joined = *this;
  joined.join_axes();
  for (int axis = 0; axis < joined.rank_; ++axis) {
    if (joined.extents_[at(axis)] <= 0) return;
  }
  const int inner = joined.rank_ - 1;
  row current{.at = joined.memory_, .step = {}, .count = inner < 0 ? 1 : joined.extents_[at(inner)]};
  for (int array = 0; array < arrays_ && inner >= 0; ++array)
    current.step[at(array)] = joined.steps_[at(array)][at(inner)];

  steps position{};
  for (;;) {
    run(current);
    int axis = inner - 1;
    for (; axis >= 0; --axis) {
      const index_t extent = joined.extents_[at(axis)];
      const bool wraps = ++position[at(axis)] == extent;
      for (int array = 0; array < arrays_; ++array) {
        const index_t step = joined.steps_[at(array)][at(axis)];
        current.at[at(array)] += wraps ? step * (1 - extent) : step;
      }
      if (!wraps) break;
      position[at(axis)] = 0;
    }
    if (axis < 0) return;
  }
}

steps extents_of(const value_type& shape) {
  steps extents{};
  for (int axis = 0; axis < shape.rank; ++axis) extents[at(axis)] = shape.extents[at(axis)];
  return extents;
}

steps dense_steps(const tile& t) {
  steps result{};
  index_t step = t.element_bytes();
  for (int axis = t.type.rank - 1; axis >= 0; --axis) {
    result[at(axis)] = step;
    step *= t.extent(axis);
  }
  return result;
}

steps broadcast_steps(const tile& t, const value_type& shape) {
  if (t.type.rank != shape.rank) return {};
  steps result = dense_steps(t);
  for (int axis = 0; axis < shape.rank; ++axis) {
    if (t.extent(axis) == 1) result[at(axis)] = 0;
  }
  return result;
}

box box_of(const value_type& shape) { return {shape.rank, extents_of(shape).data()}; }

row_function copy_function(index_t element_bytes) {
  switch (element_bytes) {
    case 1:
      return copy_row<std::uint8_t>;
    case 2:
      return copy_row<std::uint16_t>;
    case 4:
      return copy_row<std::uint32_t>;
    default:
      return copy_row<std::uint64_t>;
  }
}

}  // namespace tilewright::compiler::interp
