// SPDX-License-Identifier: Apache-2.0
// Whether what launches computed is good: a check that fails in a kernel loses what that launch writes, and what is
// computed from it, and nothing else. Storages carry the fault on; streams tell it to who waits for the launch.
#pragma once

#include "runtime/planned_launch.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

argument_use use_of(parameter_kind kind, const launch_argument& given);

// A launch goes to its stream: whoever uses its outputs next has to know that they may be lost. On the pushing thread.
void announce(const planned_launch& launch);
// It runs next. Runs of one launch that are in flight together share a status: where one fails, so do those behind it.
void start_run(const planned_launch& launch);
// It is done: what it wrote is good now, or lost, by a fault or because the run itself failed. Gives what it is lost
// by, which nobody may ever ask for: throwing it would cost more than the launch. In the order of the stream.
[[nodiscard]] std::exception_ptr settle(const planned_launch& launch, const std::exception_ptr& failed_run = nullptr);
// Throws the fault of what it read or wrote.
void require_no_fault(const planned_launch& launch);

}  // namespace tilewright::detail
