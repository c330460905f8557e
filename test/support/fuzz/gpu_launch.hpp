// SPDX-License-Identifier: Apache-2.0
// Runs a program on a GPU's engine. Each array lies between poisoned margins there; whatever a kernel must not touch
// (margins, gaps between elements, inputs) has to be as it was.
#pragma once

#include <vector>

#include "runtime/device_engine.hpp"
#include "tilewright/compiler/compile.hpp"
#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::test {

void launch_and_wait(detail::device_engine& engine, const detail::compiled_launch& launch);

struct gpu_outcome {
  bool has_run = false;            // not on an engine that makes images only
  std::vector<int> overwritten{};  // parameters around which the kernel wrote
};
// Host arrays travel there and, but for inputs, back.
gpu_outcome launch_on(detail::device_engine& engine, const compiler::program& source,
                      const std::vector<compiler::argument>& arguments, const std::vector<index_t>& grid,
                      compiler::fault_status* faults);

}  // namespace tilewright::test
