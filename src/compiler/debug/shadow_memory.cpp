// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/shadow_memory.hpp"

#include <algorithm>
#include <utility>

namespace tilewright::compiler::debug {

std::span<const written> shadow_memory::known_from(const std::byte* address) const {
  auto next = tensors_.upper_bound(address);
  if (next == tensors_.begin()) return {};
  const auto& [begin, bytes] = *--next;
  const auto offset = static_cast<std::size_t>(address - begin);
  return offset < bytes.size() ? std::span(bytes).subspan(offset) : std::span<const written>();
}

std::span<written> shadow_memory::known_from(const std::byte* address) {
  const std::span<const written> found = std::as_const(*this).known_from(address);
  // SAFETY: the vectors are members of this object, which is not constant here.
  return {const_cast<written*>(found.data()), found.size()};
}

void shadow_memory::allocate(const std::byte* address, std::size_t size_bytes) {
  if (size_bytes == 0) return;
  const std::lock_guard lock(mutex_);
  auto first = tensors_.lower_bound(address);
  if (!known_from(address).empty() && (first == tensors_.end() || first->first != address)) --first;
  tensors_.erase(first, tensors_.lower_bound(address + size_bytes));
  tensors_.emplace(address, std::vector(size_bytes, written::never));
}

void shadow_memory::write(const std::byte* address, std::size_t size_bytes, written by) {
  const std::lock_guard lock(mutex_);
  const std::span<written> to = known_from(address);
  std::fill_n(to.begin(), std::min(size_bytes, to.size()), by);
}

void shadow_memory::copy(const std::byte* to, const std::byte* from, std::size_t size_bytes) {
  const std::lock_guard lock(mutex_);
  const std::span<written> target = known_from(to);
  const std::span<written> source = known_from(from);
  const std::size_t count = std::min(size_bytes, target.size()), known = std::min(count, source.size());
  std::copy_n(source.begin(), known, target.begin());
  std::fill_n(target.begin() + static_cast<std::ptrdiff_t>(known), count - known, written::by_host);
}

written shadow_memory::at(const std::byte* address) const {
  const std::lock_guard lock(mutex_);
  const std::span<const written> found = known_from(address);
  return found.empty() ? written::by_host : found[0];
}

}  // namespace tilewright::compiler::debug
