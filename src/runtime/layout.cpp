// SPDX-License-Identifier: Apache-2.0
// Why a view of a tensor is refused.
#include "tilewright/runtime/detail/layout.hpp"

#include <string>

#include "tilewright/base/error.hpp"

namespace tilewright::detail {

void refuse_axis_that_the_tensor_lacks(const char* what, const layout& whole, int axis) {
  throw usage_error({.what = std::string(what) + " of an axis that the tensor lacks",
                     .where = std::string(what) + " of " + to_text(whole.extents),
                     .expected = "an axis under " + std::to_string(whole.extents.rank()),
                     .got = std::to_string(axis),
                     .fix = "count axes from 0"});
}

void refuse_slice_out_of_range(const layout& whole, int axis, index_t begin, index_t end) {
  throw usage_error({.what = "a slice is out of range",
                     .where = "slice of " + to_text(whole.extents) + ", axis " + std::to_string(axis),
                     .expected = "0 <= begin <= end <= " + std::to_string(whole.extents[axis]),
                     .got = std::to_string(begin) + " to " + std::to_string(end),
                     .fix = "give a range inside the tensor"});
}

void refuse_split_outside_the_tensor(const layout& whole, int axis, index_t index) {
  throw usage_error({.what = "a tensor is split outside itself",
                     .where = "split_at of " + to_text(whole.extents) + ", axis " + std::to_string(axis),
                     .expected = "an index from 0 to " + std::to_string(whole.extents[axis]),
                     .got = std::to_string(index),
                     .fix = "give the first index of the second part"});
}

void refuse_chunks_without_elements(const layout& whole, int axis, index_t size) {
  throw usage_error({.what = "chunks without elements",
                     .where = "chunks of " + to_text(whole.extents) + ", axis " + std::to_string(axis),
                     .expected = "1 or more indices in a chunk",
                     .got = std::to_string(size),
                     .fix = "give the extent of a chunk on that axis"});
}

void refuse_chunk_that_is_none(const layout& whole, int axis, index_t size, index_t number) {
  throw usage_error({.what = "no such chunk",
                     .where = "chunks of " + to_text(whole.extents) + ", axis " + std::to_string(axis) + ", " +
                              std::to_string(size) + " each",
                     .expected = "a number from 0, less than " + std::to_string(chunk_count(whole, axis, size)),
                     .got = std::to_string(number),
                     .fix = "count chunks from 0 up to size()"});
}

void refuse_other_number_of_strides(const Shape& extents, const Shape& strides) {
  throw usage_error({.what = "a strided view needs one stride for each extent",
                     .where = "strided(" + to_text(extents) + ", " + to_text(strides) + ", ...)",
                     .expected = std::to_string(extents.rank()) + " strides",
                     .got = std::to_string(strides.rank()),
                     .fix = "give as many strides as extents"});
}

void refuse_view_outside_its_tensor(const Shape& tensor, const Shape& extents, const Shape& strides, index_t first) {
  throw usage_error({.what = "a strided view reaches outside its tensor",
                     .where = "strided(" + to_text(extents) + ", " + to_text(strides) + ", ...)",
                     .expected = "elements 0 to " + std::to_string(tensor.elements() - 1),
                     .got = "a view that starts at element " + std::to_string(first),
                     .fix = "give extents, strides and a first element that stay inside"});
}

void refuse_order_of_other_axes(const layout& whole, int named) {
  throw usage_error({.what = "permute<...> names another number of axes than the tensor has",
                     .where = "permute of " + to_text(whole.extents),
                     .expected = std::to_string(whole.extents.rank()) + " axes",
                     .got = std::to_string(named),
                     .fix = "name each axis of the tensor once, from 0 on"});
}

void refuse_reshape(const layout& whole, const Shape& extents) {
  const bool same_count = keeps_elements(whole, extents);
  throw usage_error(
      {.what = same_count ? "reshape of a view that is not row-major" : "reshape changes the element count",
       .where = "reshape of " + to_text(whole.extents),
       .expected = same_count ? "strides " + to_text(dense_layout(whole.extents).strides)
                              : std::to_string(whole.extents.elements()) + " elements",
       .got = same_count ? "strides " + to_text(whole.strides) : to_text(extents),
       .fix = same_count ? "reshape before slicing, or copy the view" : "keep the number of elements"});
}

}  // namespace tilewright::detail
