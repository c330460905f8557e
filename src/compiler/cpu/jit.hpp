// SPDX-License-Identifier: Apache-2.0
// Machine code from a module, and machine code into this process. Both may be called by any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "compiler/cpu/ir.hpp"
#include "tilewright/compiler/fault_status.hpp"

namespace tilewright::compiler {

// Optimises for this machine's processor and returns a relocatable object file.
std::vector<std::byte> compile_object(ir::module_builder&& made);

using kernel_function = void (*)(const std::uint64_t* parameters, const std::int64_t* grid, std::int64_t first,
                                 std::int64_t last, std::byte* scratch, fault_status* faults);

// Code of an object in this process; unloaded with the last owner of `lifetime`.
struct loaded_kernel {
  kernel_function entry = nullptr;
  std::shared_ptr<void> lifetime;
};

// Throws runtime_error when the bytes are no object with a function of that name for this machine.
loaded_kernel load_object(std::span<const std::byte> object, const std::string& name);

int vector_bytes();             // of this machine's registers: 16, 32 or 64
std::string jit_fingerprint();  // LLVM version, processor and its features

}  // namespace tilewright::compiler
