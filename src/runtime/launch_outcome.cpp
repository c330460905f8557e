// SPDX-License-Identifier: Apache-2.0
#include "runtime/launch_outcome.hpp"

#include "tilewright/base/error.hpp"

namespace tilewright::detail {
namespace {

// The fault of what the launch read, else its own.
std::exception_ptr failure_of(const planned_launch& launch) noexcept try {
  for (const argument_use& use : launch.uses) {
    if (use.is_read && use.memory->fault) return use.memory->fault;
  }
  const fault_slot* slot = launch.launch.faults.get();
  if (slot == nullptr || slot->status->state != compiler::fault_status::written) return nullptr;
  return std::make_exception_ptr(compiler::fault_of(*launch.program, *slot->status));
} catch (...) {  // no memory for its text
  return std::current_exception();
}

}  // namespace

argument_use use_of(parameter_kind kind, const launch_argument& given) {
  index_t elements = 1;
  for (int axis = 0; axis < given.value.rank; ++axis) elements *= given.value.extents[static_cast<std::size_t>(axis)];
  return {.memory = given.memory,
          .is_read = kind != parameter_kind::out,
          .is_written = is_output(kind),
          .is_written_whole = kind == parameter_kind::out && elements == given.memory->shape.elements()};
}

void announce(const planned_launch& launch) {
  bool may_fail = launch.launch.faults != nullptr;
  for (const argument_use& use : launch.uses) {
    may_fail = may_fail || (use.is_read && use.memory->may_fault.load_relaxed());
  }
  if (!may_fail) return;
  for (const argument_use& use : launch.uses) {
    if (use.is_written) use.memory->may_fault.store_relaxed(true);
  }
}

void start_run(const planned_launch& launch) {
  fault_slot* slot = launch.launch.faults.get();
  if (slot != nullptr && slot->in_flight.fetch_add(1) == 0) *slot->status = compiler::fault_status();
}

std::exception_ptr settle(const planned_launch& launch, const std::exception_ptr& failed_run) {
  std::exception_ptr failed = failed_run ? failed_run : failure_of(launch);
  if (launch.launch.faults) launch.launch.faults->in_flight.fetch_sub(1);
  for (const argument_use& use : launch.uses) {
    if (!use.is_written) continue;
    if (failed || (use.is_written_whole && use.memory->fault)) use.memory->fault = failed;
    use.memory->may_fault.store_relaxed(false);
  }
  return failed;
}

void require_no_fault(const planned_launch& launch) {
  for (const argument_use& use : launch.uses) {
    if (use.memory->fault) std::rethrow_exception(use.memory->fault);
  }
}

}  // namespace tilewright::detail
