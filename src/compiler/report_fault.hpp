// SPDX-License-Identifier: Apache-2.0
// How host code of a back end writes to a launch's fault_status; compiled kernels do the same in their own code.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>

#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::compiler {

// The first of all threads wins; the others write nothing.
inline void report_fault(fault_status* faults, std::int32_t check, const std::array<std::int64_t, 3>& values) noexcept {
  // SAFETY: threads share the state alone; who changes it from none owns the rest until it is written.
  const std::atomic_ref<std::uint32_t> state(faults->state);
  std::uint32_t expected = fault_status::none;
  if (!state.compare_exchange_strong(expected, fault_status::claimed, std::memory_order_relaxed)) return;
  faults->check = check;
  std::copy(values.begin(), values.end(), faults->values);
  state.store(fault_status::written, std::memory_order_release);
}

}  // namespace tilewright::compiler
