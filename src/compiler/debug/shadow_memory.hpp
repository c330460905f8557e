// SPDX-License-Identifier: Apache-2.0
// Who wrote each byte of the tensors of a device last. Memory that it was not told of counts as written by the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "tilewright/base/config.hpp"

namespace tilewright::compiler::debug {

enum class written : std::uint8_t { never, by_host, by_launch };

// Of any threads at once.
class TILEWRIGHT_API shadow_memory {
 public:
  // Nothing of it is written; what lay there before is forgotten. Nobody is told when memory is freed: launches in
  // flight may still use it.
  void allocate(const std::byte* address, std::size_t size_bytes);
  void write(const std::byte* address, std::size_t size_bytes, written by);
  void copy(const std::byte* to, const std::byte* from, std::size_t size_bytes);
  written at(const std::byte* address) const;

 private:
  // What is known from an address to the end of its tensor; empty: nothing.
  std::span<const written> known_from(const std::byte* address) const;
  std::span<written> known_from(const std::byte* address);

  mutable std::mutex mutex_;
  std::map<const std::byte*, std::vector<written>> tensors_;  // by address; they do not overlap
};

}  // namespace tilewright::compiler::debug
