// SPDX-License-Identifier: Apache-2.0
// Where a kernel reports the first residual check that fails. One block of memory per launch, visible to its device;
// the host sets it to fault_status{} before the launch and reads it when the launch is done.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tilewright::compiler {

// The thread that changes `state` from none to claimed writes the rest, then sets `written`. Emitters know the layout.
struct alignas(64) fault_status {
  enum : std::uint32_t { none, claimed, written };
  std::uint32_t state = none;
  std::int32_t check = -1;      // position in program.residual_checks
  std::int64_t values[3] = {};  // got, and the least and the greatest value allowed
};
static_assert(sizeof(fault_status) == 64 && offsetof(fault_status, values) == 8);

}  // namespace tilewright::compiler
