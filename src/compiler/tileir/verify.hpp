// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

struct type_fault {
  std::string kernel;
  std::size_t operation = 0;  // in the order in which they are written, the first is 0
  const char* mnemonic = "";
  std::string rule;
};

// The first operation that breaks a rule of the dialect on its operands, results, attributes or regions; none for a
// module whose kernels keep them all. For modules that the emitter made or the reader read. What only the back end of
// an architecture refuses is not looked for.
std::optional<type_fault> find_fault(const bytecode& source);

// "kernel 'gemm', operation 17 (addf): the operands are of different types"
std::string to_text(const type_fault& fault);

}  // namespace tilewright::compiler::tileir
