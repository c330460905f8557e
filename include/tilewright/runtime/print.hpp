// SPDX-License-Identifier: Apache-2.0
// Where the lines go that kernels print: b.print("row {} sums to {}", i, sum).
#pragma once

#include <functional>
#include <string>

#include "tilewright/base/config.hpp"

namespace tilewright {

// From now on each line that a kernel prints on a device of the host goes to `sink`, as one call with its newline; an
// empty sink is stderr, as at the start. Calls come one at a time, from the threads that run blocks, and are over when
// the launch is. The sink must not throw, launch, or set another one.
// A GPU's lines do not come here: the driver writes them to stdout while a host thread waits for the GPU.
TILEWRIGHT_API void set_print_sink(std::function<void(const std::string& line)> sink);

}  // namespace tilewright
