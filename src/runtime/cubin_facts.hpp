// SPDX-License-Identifier: Apache-2.0
// What a cubin says of its kernel.
#pragma once

#include <cstddef>
#include <span>

namespace tilewright::runtime {

struct cubin_facts {
  int registers = 0, threads = 0, stack_bytes = 0;  // 0 where the file does not say
};

// Any bytes may be given: what cannot be read stays 0.
cubin_facts facts_of_cubin(std::span<const std::byte> cubin) noexcept;

}  // namespace tilewright::runtime
