// SPDX-License-Identifier: Apache-2.0
// A tensor as the compiler sees it.
#include "tilewright/base/error.hpp"
#include "tilewright/runtime/detail/argument_pairs.hpp"

namespace tilewright::detail {
namespace {

void require_pieces(const Shape& tensor, const Shape& piece) {
  bool fits = piece.rank() == tensor.rank();
  for (int axis = 0; fits && axis < piece.rank(); ++axis) fits = piece[axis] >= 1;
  if (fits) return;
  throw usage_error({.what = "a partition does not fit its tensor",
                     .where = "partition(" + to_text(piece) + ")",
                     .expected = std::to_string(tensor.rank()) + " extents of 1 or more, for shape " + to_text(tensor),
                     .got = to_text(piece),
                     .fix = "give the extent of a piece on each axis"});
}

}  // namespace

launch_argument describe_tensor(storage* memory, const layout& seen, bool is_only_handle) {
  launch_argument made;
  made.memory = memory;
  made.is_only_handle = is_only_handle;
  made.value.rank = static_cast<std::int8_t>(seen.extents.rank());
  made.value.address = memory->address + seen.first * info(memory->element).size_bytes;
  for (int axis = 0; axis < seen.extents.rank(); ++axis) {
    const auto place = static_cast<std::size_t>(axis);
    made.value.extents[place] = seen.extents[axis];
    made.value.strides[place] = seen.strides[axis];
  }
  return made;
}

launch_argument describe_output(storage* memory, const layout& seen, const Shape& piece, index_t sharers) {
  require_pieces(seen.extents, piece);
  launch_argument made = describe_tensor(memory, seen, true);
  for (int axis = 0; axis < piece.rank(); ++axis) made.value.piece[static_cast<std::size_t>(axis)] = piece[axis];
  made.value.shared_by = sharers;
  return made;
}

}  // namespace tilewright::detail
