// SPDX-License-Identifier: Apache-2.0
// A copy between two views of one shape, without their layouts: runs of bytes that lie together in both, and the steps
// from one to the next.
#pragma once

#include <array>
#include <cstddef>

#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

struct element_copy {
  std::byte* to = nullptr;
  const std::byte* from = nullptr;
  bool is_to_host = false, is_from_host = false;               // a HostBuffer, not memory of the device
  device_engine *to_device = nullptr, *from_device = nullptr;  // where no device sees both: for device_engine::copy()
  std::size_t run_bytes = 0;                                   // 0: nothing to copy
  int rank = 0;                                                // axes around a run, outermost first
  std::array<index_t, max_rank> extents{};
  std::array<index_t, max_rank> to_steps{}, from_steps{};  // bytes; any sign where they read
};

// Both of one shape and element size. Throws usage_error for a view in too many pieces where no device sees both.
element_copy make_copy(const launch_argument& to, const launch_argument& from);
// The device whose streams do it.
device_engine& device_of_copy(const launch_argument& to, const launch_argument& from);
// How many runs there are around `axes` axes.
index_t runs_of(const element_copy& copy, int axes);
[[noreturn]] void refuse_pieces(index_t expected, index_t got);
// Where the host sees both.
void copy_elements(const element_copy& copy) noexcept;
// What an entry of `stream` does where no device sees both, on a stream of device_of_copy().
void copy_across(const element_copy& copy, stream_queue& stream);

}  // namespace tilewright::detail
