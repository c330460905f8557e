// SPDX-License-Identifier: Apache-2.0
// The part of the cpu back end before LLVM itself has work to do; in llvm/ or no_llvm/, as the library was built.
#pragma once

#include "tilewright/compiler/program.hpp"

namespace tilewright::bench {

bool has_kernel_ir();
void make_kernel_ir(const compiler::program& source);  // and drops it

}  // namespace tilewright::bench
