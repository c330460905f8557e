// SPDX-License-Identifier: Apache-2.0
// What the assembler made of a kernel, read out of the machine code without a device: registers, spills, shared memory,
// barriers, parameters, and which units the instructions use. Tests hold kernels to it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tilewright/base/config.hpp"

namespace tilewright::compiler::tileir {

struct cubin_parameter {
  std::uint32_t offset_bytes = 0, size_bytes = 0;
  bool operator==(const cubin_parameter&) const = default;
};

struct cubin_report {
  std::string symbol;
  std::uint32_t architecture = 0;  // 90 for sm_90
  std::uint32_t registers = 0;     // of a thread
  std::uint32_t frame_bytes = 0;   // of a thread's stack: spilled registers and local arrays
  std::uint64_t shared_bytes = 0;  // static, all that a block takes
  std::uint32_t barriers = 0, memory_barriers = 0;
  std::array<std::uint32_t, 3> threads{};  // of a block, as the kernel demands it; zeros: any
  std::uint32_t cluster = 1;               // blocks of a cluster
  std::vector<cubin_parameter> parameters;

  // ---- Instructions, each counted once however often it runs
  std::uint64_t code_bytes = 0;
  std::uint32_t local_loads = 0, local_stores = 0;    // of the stack: spills, when nothing else lies there
  std::uint32_t warp_products = 0;                    // tensor cores, operands in registers
  std::uint32_t warpgroup_products = 0;               // tensor cores of sm_90, operands in shared memory
  std::uint32_t copied_loads = 0, copied_stores = 0;  // whole tiles by the copy engine (TMA)
  std::uint32_t asynchronous_loads = 0;               // global to shared memory without registers (sm_80)
};

// For a cubin of one kernel. Every offset and size is checked: throws io_error with the place of the byte for anything
// that is none, never reads outside.
TILEWRIGHT_API cubin_report read_cubin(std::span<const std::byte> bytes);

// One line for people.
TILEWRIGHT_API std::string to_text(const cubin_report& report);

}  // namespace tilewright::compiler::tileir
