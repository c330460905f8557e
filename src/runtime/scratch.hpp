// SPDX-License-Identifier: Apache-2.0
// Memory that an image needs while it runs blocks: one buffer per thread, kept for the next launch.
#pragma once

#include <cstddef>

namespace tilewright::runtime {

// At least `size_bytes` bytes of this thread's alone, aligned to 64; valid until the next call on this thread. Null
// when there is no memory.
std::byte* thread_scratch(std::size_t size_bytes) noexcept;

}  // namespace tilewright::runtime
