// SPDX-License-Identifier: Apache-2.0
// Views: how a slice, a strided view, a reshape and a transpose see the same memory. Each checks bounds; the refusals
// throw usage_error.
#pragma once

#include "tilewright/runtime/shape.hpp"

namespace tilewright::detail {

// What a handle sees of a storage: position of element (i, j, ...) is first + i * strides[0] + j * strides[1] ...
struct layout {
  Shape extents;
  Shape strides;  // any sign
  index_t first = 0;
};

[[noreturn]] TILEWRIGHT_API void refuse_axis_that_the_tensor_lacks(const char* what, const layout& whole, int axis);
[[noreturn]] TILEWRIGHT_API void refuse_slice_out_of_range(const layout& whole, int axis, index_t begin, index_t end);
[[noreturn]] TILEWRIGHT_API void refuse_split_outside_the_tensor(const layout& whole, int axis, index_t index);
[[noreturn]] TILEWRIGHT_API void refuse_chunks_without_elements(const layout& whole, int axis, index_t size);
[[noreturn]] TILEWRIGHT_API void refuse_chunk_that_is_none(const layout& whole, int axis, index_t size, index_t number);
[[noreturn]] TILEWRIGHT_API void refuse_other_number_of_strides(const Shape& extents, const Shape& strides);
[[noreturn]] TILEWRIGHT_API void refuse_view_outside_its_tensor(const Shape& tensor, const Shape& extents,
                                                                const Shape& strides, index_t first);
[[noreturn]] TILEWRIGHT_API void refuse_order_of_other_axes(const layout& whole, int named);
[[noreturn]] TILEWRIGHT_API void refuse_reshape(const layout& whole, const Shape& extents);

constexpr layout dense_layout(const Shape& shape) {
  layout made{shape, shape, 0};
  index_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    made.strides[axis] = step;
    if (__builtin_mul_overflow(step, shape[axis], &step)) step = 0;  // only of an empty tensor
  }
  return made;
}

// Without gaps and in order; the stride of an axis of one element means nothing.
constexpr bool is_row_major(const layout& seen) {
  index_t step = 1;
  for (int axis = seen.extents.rank() - 1; axis >= 0; --axis) {
    if (seen.extents[axis] == 0) return true;
    if (seen.extents[axis] == 1) continue;
    if (seen.strides[axis] != step) return false;
    step *= seen.extents[axis];
  }
  return true;
}

constexpr void require_axis(const layout& whole, int axis, const char* what) {
  if (axis < 0 || axis >= whole.extents.rank()) refuse_axis_that_the_tensor_lacks(what, whole, axis);
}

constexpr layout slice_layout(const layout& whole, int axis, index_t begin, index_t end) {
  require_axis(whole, axis, "slice");
  if (begin < 0 || end < begin || end > whole.extents[axis]) refuse_slice_out_of_range(whole, axis, begin, end);
  layout made = whole;
  made.extents[axis] = end - begin;
  if (begin != end) made.first += begin * whole.strides[axis];  // an empty one names no element
  return made;
}

constexpr void require_split(const layout& whole, int axis, index_t index) {
  require_axis(whole, axis, "split_at");
  if (index < 0 || index > whole.extents[axis]) refuse_split_outside_the_tensor(whole, axis, index);
}

constexpr index_t chunk_count(const layout& whole, int axis, index_t size) {
  require_axis(whole, axis, "chunks");
  if (size < 1) refuse_chunks_without_elements(whole, axis, size);
  return whole.extents[axis] / size + (whole.extents[axis] % size != 0 ? 1 : 0);
}

constexpr layout chunk_layout(const layout& whole, int axis, index_t size, index_t number) {
  if (number < 0 || number >= chunk_count(whole, axis, size)) refuse_chunk_that_is_none(whole, axis, size, number);
  const index_t begin = number * size, rest = whole.extents[axis] - begin;
  return slice_layout(whole, axis, begin, begin + (rest < size ? rest : size));
}

// `tensor`: the shape of the memory. `first` counts from the first element of `whole`.
constexpr layout strided_layout(const Shape& tensor, const layout& whole, const Shape& extents, const Shape& strides,
                                index_t first) {
  if (extents.rank() != strides.rank()) refuse_other_number_of_strides(extents, strides);
  bool fits = !__builtin_add_overflow(whole.first, first, &first);
  index_t least = first, greatest = first;
  bool is_empty = false;
  for (int axis = 0; axis < extents.rank(); ++axis) {
    fits &= extents[axis] >= 0;
    is_empty |= extents[axis] == 0;
  }
  for (int axis = 0; axis < extents.rank() && !is_empty; ++axis) {
    index_t reach = 0;
    fits &= !__builtin_mul_overflow(extents[axis] - 1, strides[axis], &reach);
    index_t& bound = reach < 0 ? least : greatest;
    fits &= !__builtin_add_overflow(bound, reach, &bound);
  }
  if (!fits || (!is_empty && (least < 0 || greatest >= tensor.elements()))) {
    refuse_view_outside_its_tensor(tensor, extents, strides, first);
  }
  return {extents, strides, is_empty ? 0 : first};
}

constexpr bool keeps_elements(const layout& whole, const Shape& extents) {
  for (int axis = 0; axis < extents.rank(); ++axis) {
    if (extents[axis] < 0) return false;
  }
  return extents.elements() == whole.extents.elements();
}

constexpr layout reshape_layout(const layout& whole, const Shape& extents) {
  if (!is_row_major(whole) || !keeps_elements(whole, extents)) refuse_reshape(whole, extents);
  layout made = dense_layout(extents);
  made.first = whole.first;
  return made;
}

// Whether each of the axes 0, 1, ... stands once.
template <int... Order>
inline constexpr bool is_order = [] {
  constexpr int count = static_cast<int>(sizeof...(Order)), axes[] = {Order..., 0};
  unsigned seen = 0;
  for (int n = 0; n < count; ++n) {
    if (axes[n] < 0 || axes[n] >= count || (seen >> axes[n] & 1U) != 0) return false;
    seen |= 1U << axes[n];
  }
  return true;
}();

constexpr layout transpose_layout(const layout& whole) {
  layout made = whole;
  const int rank = whole.extents.rank();
  for (int axis = 0; axis < rank; ++axis) {
    made.extents[axis] = whole.extents[rank - 1 - axis];
    made.strides[axis] = whole.strides[rank - 1 - axis];
  }
  return made;
}

// Axis a of the result is axis Order[a] of the whole.
template <int... Order>
constexpr layout permute_layout(const layout& whole) {
  constexpr int count = static_cast<int>(sizeof...(Order));
  static_assert(is_order<Order...>, "permute<...> names each axis of the tensor once, from 0 on");
  if (whole.extents.rank() != count) refuse_order_of_other_axes(whole, count);
  layout made = whole;
  int axis = 0;
  ((made.extents[axis] = whole.extents[Order], made.strides[axis] = whole.strides[Order], ++axis), ...);
  return made;
}

}  // namespace tilewright::detail
