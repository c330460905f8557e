// SPDX-License-Identifier: Apache-2.0
#include "runtime/scratch.hpp"

#include <cstdlib>
#include <memory>

namespace tilewright::runtime {
namespace {

constexpr std::size_t alignment = 64;

struct freed {
  void operator()(std::byte* bytes) const { std::free(bytes); }
};

struct buffer {
  std::unique_ptr<std::byte, freed> bytes;
  std::size_t size_bytes = 0;
};

}  // namespace

std::byte* thread_scratch(std::size_t size_bytes) noexcept {
  static thread_local buffer kept;
  if (size_bytes <= kept.size_bytes && kept.bytes) return kept.bytes.get();
  const std::size_t rounded = (size_bytes / alignment + 1) * alignment;
  kept.bytes.reset();
  kept.bytes.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, rounded)));
  kept.size_bytes = kept.bytes ? rounded : 0;
  return kept.bytes.get();
}

}  // namespace tilewright::runtime
