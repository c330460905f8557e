// SPDX-License-Identifier: Apache-2.0
#include "suites/kernel_ir.hpp"

namespace tilewright::bench {

bool has_kernel_ir() { return false; }
void make_kernel_ir(const compiler::program&) {}

}  // namespace tilewright::bench
