// SPDX-License-Identifier: Apache-2.0
#include "tilewright/runtime/shape.hpp"

#include <algorithm>

#include "tilewright/base/error.hpp"

namespace tilewright {

Shape::Shape(std::span<const index_t> extents) : rank_(static_cast<int>(extents.size())) {
  if (extents.size() > static_cast<std::size_t>(max_rank)) {
    throw usage_error({.what = "a shape has too many axes",
                       .where = "Shape",
                       .expected = "at most " + std::to_string(max_rank),
                       .got = std::to_string(extents.size()),
                       .fix = "merge axes with reshape"});
  }
  std::copy(extents.begin(), extents.end(), extents_);
}

void Shape::refuse_axis(int axis, int rank) {
  throw usage_error({.what = "a shape has no such axis",
                     .where = "Shape",
                     .expected = "0 to " + std::to_string(rank - 1),
                     .got = std::to_string(axis),
                     .fix = "count axes from 0"});
}

std::string to_text(const Shape& shape) {
  std::string text = "[";
  for (int axis = 0; axis < shape.rank(); ++axis) text += (axis == 0 ? "" : ", ") + std::to_string(shape[axis]);
  return text + "]";
}

}  // namespace tilewright
