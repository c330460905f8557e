// SPDX-License-Identifier: Apache-2.0
// A device that looks at what kernels do: host code runs on it as on any other, on the interpreter, block after block,
// and a report says what it saw.
#pragma once

#include "tilewright/compiler/debug_report.hpp"
#include "tilewright/runtime/device.hpp"

namespace tilewright {

// A new one at each call; as all devices it stays for as long as the program. Kernels run as they are written: nothing
// is folded, merged or dropped, so each operation has the line of its own. A launch takes thousands of times as long as
// on cpu_device(), and each byte of a tensor takes two.
TILEWRIGHT_API Device debug_device(const debug_options& options = {});

// What launches that are done have shown since the last call; waits for those in flight. Throws usage_error for a
// device that is not of debug_device().
TILEWRIGHT_API debug_report take_debug_report(const Device& device);

}  // namespace tilewright
