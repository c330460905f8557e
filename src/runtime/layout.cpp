// SPDX-License-Identifier: Apache-2.0
// Views: how a slice, a strided view, a reshape and a transpose see the same memory.
#include <string>

#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright::detail {
namespace {

void require_axis(const layout& whole, int axis, const std::string& what = "slice") {
  if (axis >= 0 && axis < whole.extents.rank()) return;
  throw usage_error({.what = what + " of an axis that the tensor lacks",
                     .where = what + " of " + to_text(whole.extents),
                     .expected = "an axis under " + std::to_string(whole.extents.rank()),
                     .got = std::to_string(axis),
                     .fix = "count axes from 0"});
}

[[noreturn]] void refuse_view(const storage* memory, const Shape& extents, const Shape& strides, index_t first) {
  throw usage_error({.what = "a strided view reaches outside its tensor",
                     .where = "strided(" + to_text(extents) + ", " + to_text(strides) + ", ...)",
                     .expected = "elements 0 to " + std::to_string(memory->shape.elements() - 1),
                     .got = "a view that starts at element " + std::to_string(first),
                     .fix = "give extents, strides and a first element that stay inside"});
}

}  // namespace

layout dense_layout(const Shape& shape) {
  layout made{shape, shape, 0};
  index_t step = 1;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    made.strides[axis] = step;
    if (__builtin_mul_overflow(step, shape[axis], &step)) step = 0;  // only of an empty tensor
  }
  return made;
}

// Without gaps and in order; the stride of an axis of one element means nothing.
bool is_row_major(const layout& seen) {
  index_t step = 1;
  for (int axis = seen.extents.rank() - 1; axis >= 0; --axis) {
    if (seen.extents[axis] == 0) return true;
    if (seen.extents[axis] == 1) continue;
    if (seen.strides[axis] != step) return false;
    step *= seen.extents[axis];
  }
  return true;
}

layout slice_layout(const layout& whole, int axis, index_t begin, index_t end) {
  require_axis(whole, axis);
  if (begin < 0 || end < begin || end > whole.extents[axis]) {
    throw usage_error({.what = "a slice is out of range",
                       .where = "slice of " + to_text(whole.extents) + ", axis " + std::to_string(axis),
                       .expected = "0 <= begin <= end <= " + std::to_string(whole.extents[axis]),
                       .got = std::to_string(begin) + " to " + std::to_string(end),
                       .fix = "give a range inside the tensor"});
  }
  layout made = whole;
  made.extents[axis] = end - begin;
  if (begin != end) made.first += begin * whole.strides[axis];  // an empty one names no element
  return made;
}

void require_split(const layout& whole, int axis, index_t index) {
  require_axis(whole, axis, "split_at");
  if (index >= 0 && index <= whole.extents[axis]) return;
  throw usage_error({.what = "a tensor is split outside itself",
                     .where = "split_at of " + to_text(whole.extents) + ", axis " + std::to_string(axis),
                     .expected = "an index from 0 to " + std::to_string(whole.extents[axis]),
                     .got = std::to_string(index),
                     .fix = "give the first index of the second part"});
}

index_t chunk_count(const layout& whole, int axis, index_t size) {
  require_axis(whole, axis, "chunks");
  if (size >= 1) return whole.extents[axis] / size + (whole.extents[axis] % size != 0 ? 1 : 0);
  throw usage_error({.what = "chunks without elements",
                     .where = "chunks of " + to_text(whole.extents) + ", axis " + std::to_string(axis),
                     .expected = "1 or more indices in a chunk",
                     .got = std::to_string(size),
                     .fix = "give the extent of a chunk on that axis"});
}

layout chunk_layout(const layout& whole, int axis, index_t size, index_t number) {
  const index_t count = chunk_count(whole, axis, size);
  if (number < 0 || number >= count) {
    throw usage_error({.what = "no such chunk",
                       .where = "chunks of " + to_text(whole.extents) + ", axis " + std::to_string(axis) + ", " +
                                std::to_string(size) + " each",
                       .expected = "a number from 0, less than " + std::to_string(count),
                       .got = std::to_string(number),
                       .fix = "count chunks from 0 up to size()"});
  }
  const index_t begin = number * size, rest = whole.extents[axis] - begin;
  return slice_layout(whole, axis, begin, begin + (rest < size ? rest : size));
}

layout strided_layout(const storage* memory, const layout& whole, const Shape& extents, const Shape& strides,
                      index_t first) {
  if (extents.rank() != strides.rank()) {
    throw usage_error({.what = "a strided view needs one stride for each extent",
                       .where = "strided(" + to_text(extents) + ", " + to_text(strides) + ", ...)",
                       .expected = std::to_string(extents.rank()) + " strides",
                       .got = std::to_string(strides.rank()),
                       .fix = "give as many strides as extents"});
  }
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
  if (!fits || (!is_empty && (least < 0 || greatest >= memory->shape.elements()))) {
    refuse_view(memory, extents, strides, first);
  }
  return {extents, strides, is_empty ? 0 : first};
}

layout reshape_layout(const layout& whole, const Shape& extents) {
  bool is_negative = false;
  for (int axis = 0; axis < extents.rank(); ++axis) is_negative |= extents[axis] < 0;
  const bool is_dense = is_row_major(whole);
  const bool same_count = !is_negative && extents.elements() == whole.extents.elements();
  if (is_dense && same_count) {
    layout made = dense_layout(extents);
    made.first = whole.first;
    return made;
  }
  throw usage_error(
      {.what = same_count ? "reshape of a view that is not row-major" : "reshape changes the element count",
       .where = "reshape of " + to_text(whole.extents),
       .expected = same_count ? "strides " + to_text(dense_layout(whole.extents).strides)
                              : std::to_string(whole.extents.elements()) + " elements",
       .got = same_count ? "strides " + to_text(whole.strides) : to_text(extents),
       .fix = same_count ? "reshape before slicing, or copy the view" : "keep the number of elements"});
}

void reshape_storage(storage* memory, const Shape& shape) {
  memory->shape = reshape_layout(dense_layout(memory->shape), shape).extents;
}

layout transpose_layout(const layout& whole) {
  layout made = whole;
  const int rank = whole.extents.rank();
  for (int axis = 0; axis < rank; ++axis) {
    made.extents[axis] = whole.extents[rank - 1 - axis];
    made.strides[axis] = whole.strides[rank - 1 - axis];
  }
  return made;
}

}  // namespace tilewright::detail
