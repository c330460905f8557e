// SPDX-License-Identifier: Apache-2.0
// What `.reduction()` promises of a loop: its iterations may be split and their results joined in another order.
#pragma once

#include "compiler/diagnostics.hpp"
#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

// Adds a fault for every carried value of a reduction() loop that does not start neutral, or does more than accumulate
// with one operation.
void verify_reductions(const program& source, diagnostics& faults);

}  // namespace tilewright::compiler
