// SPDX-License-Identifier: Apache-2.0
#include "suites/kernel_ir.hpp"

#include "compiler/cpu/jit.hpp"
#include "compiler/cpu/kernel_code.hpp"

namespace tilewright::bench {

bool has_kernel_ir() { return true; }
void make_kernel_ir(const compiler::program& source) {
  (void)compiler::make_kernel_code(source, compiler::vector_bytes());
}

}  // namespace tilewright::bench
