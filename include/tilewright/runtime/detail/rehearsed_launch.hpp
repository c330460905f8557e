// SPDX-License-Identifier: Apache-2.0
// What a rehearsal checks of a launch: who touches which memory, and how the arguments' shapes fit their parameters.
// All else, such as grids and bounds, is checked when the program runs.
#pragma once

#include "tilewright/base/parameters.hpp"
#include "tilewright/runtime/detail/overlap.hpp"
#include "tilewright/runtime/detail/storage.hpp"

namespace tilewright::detail {

// Misuse of a launch in a rehearsal. When a program runs, launch_plan finds it, and throws usage_error.
[[noreturn]] TILEWRIGHT_API void refuse_arguments_of_different_devices();
[[noreturn]] TILEWRIGHT_API void refuse_argument_of_another_rank_than_its_parameter();
[[noreturn]] TILEWRIGHT_API void refuse_partition_that_does_not_fit_its_tensor();
[[noreturn]] TILEWRIGHT_API void refuse_copy_between_different_shapes();
[[noreturn]] TILEWRIGHT_API void refuse_output_that_overlaps_another_argument();
[[noreturn]] TILEWRIGHT_API void refuse_launch_of_another_device_inside_a_capture();
[[noreturn]] TILEWRIGHT_API void refuse_scope_inside_a_capture();

struct rehearsed_argument {
  const ownership* memory = nullptr;  // none: a scalar
  layout seen{};
  bool is_written = false;
};

constexpr void rehearse_piece(const Shape& tensor, const Shape& piece) {
  if (piece.rank() != tensor.rank()) refuse_partition_that_does_not_fit_its_tensor();
  for (int axis = 0; axis < piece.rank(); ++axis) {
    if (piece[axis] < 1) refuse_partition_that_does_not_fit_its_tensor();
  }
}

constexpr bool share_elements(const rehearsed_argument& a, const rehearsed_argument& b) {
  return a.memory == b.memory && overlap(region_of(a.seen), region_of(b.seen));
}

constexpr bool is_in_capture(const rehearsed_device& device) {
  return device.thread != nullptr && device.thread->captured != nullptr;
}
// When work of the device is run: in a capture it is nodes of a graph.
constexpr void rehearse_nodes(const rehearsed_device& device, int nodes) {
  if (!is_in_capture(device)) return;
  if (device.thread->captured != &device) refuse_launch_of_another_device_inside_a_capture();
  device.thread->recorded += nodes;
}

template <int Count>
constexpr void rehearse_launch(const rehearsed_argument (&arguments)[Count]) {
  const ownership* first = nullptr;
  for (int i = 0; i < Count; ++i) {
    const rehearsed_argument& given = arguments[i];
    if (given.memory == nullptr) continue;
    if (first == nullptr) first = given.memory;
    if (given.memory->rehearsed != first->rehearsed) refuse_arguments_of_different_devices();
    for (int k = 0; k < i; ++k) {
      const bool is_written = given.is_written || arguments[k].is_written;
      if (is_written && share_elements(given, arguments[k])) refuse_output_that_overlaps_another_argument();
    }
  }
}

constexpr void rehearse_copy(const rehearsed_argument& to, const rehearsed_argument& from) {
  if (!(to.seen.extents == from.seen.extents)) refuse_copy_between_different_shapes();
  if (share_elements(to, from)) refuse_output_that_overlaps_another_argument();
}

}  // namespace tilewright::detail
