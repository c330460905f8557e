// SPDX-License-Identifier: Apache-2.0
// A device whose tensors lie between poisoned margins: whatever lies next to a tensor is NaN in every floating type,
// and has to be there when a test ends. A kernel that writes past a tensor changes it; one that computes with what lies
// past it gives NaN.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/device_engine.hpp"

namespace tilewright::test {

// What a test asks of such a device.
class margin_checks {
 public:
  virtual ~margin_checks() = default;
  // Waits for the device; a line for each tensor since the last call whose margins are not as they were. A tensor's
  // memory is not handed out again before.
  virtual std::vector<std::string> broken_margins() = 0;
};

// On both sides of a tensor. Multiples of 128, so that tensors are as well aligned as without.
inline constexpr std::size_t margin_bytes = 1024;

struct margined_block {
  std::size_t size_bytes = 0;  // of the tensor
  unsigned serial = 0;
  bool is_freed = false;

  std::size_t whole_bytes() const { return margin_bytes + (size_bytes + 127) / 128 * 128 + margin_bytes; }
  std::size_t behind() const { return margin_bytes + size_bytes; }

  // Pairs of bytes 0xfff1 to 0xffff: NaN as f16 and bf16, and any 4 or 8 bytes of them as f32 and f64. Neighbours
  // differ, and so do blocks made one after the other: an element copied from margin to margin shows, too.
  std::byte poison(std::size_t place) const {
    if (place % 2 != 0) return std::byte{0xff};
    return static_cast<std::byte>(0xf1 + (place / 2 + std::size_t{7} * serial) % 15);
  }
  std::vector<std::byte> poison(std::size_t first, std::size_t last) const {
    std::vector<std::byte> bytes(last - first);
    for (std::size_t i = first; i < last; ++i) bytes[i - first] = poison(i);
    return bytes;
  }
};

template <class Engine>
class margin_engine final : public Engine, public margin_checks {
 public:
  using Engine::Engine;

  // At rest: the margins are written at once.
  detail::memory_block allocate(std::size_t size_bytes, detail::first_use) override {
    const std::lock_guard lock(mutex_);
    const margined_block block{.size_bytes = size_bytes, .serial = next_serial_++};
    std::byte* whole = Engine::allocate(block.whole_bytes(), detail::first_use::by_host).address;
    for (const auto& [first, last] : {before_of(block), behind_of(block)}) {
      Engine::copy_from_host(whole + first, block.poison(first, last).data(), last - first);
    }
    blocks_.emplace(whole, block);
    return {whole + margin_bytes, {}};
  }

  void free(std::byte* address, std::size_t, const detail::event&) noexcept override {
    const std::lock_guard lock(mutex_);
    blocks_.find(address - margin_bytes)->second.is_freed = true;
  }

  std::vector<std::string> broken_margins() override {
    try {
      Engine::synchronize();
    } catch (const error&) {  // a test's own business
    }
    const std::lock_guard lock(mutex_);
    std::vector<std::string> broken;
    for (auto each = blocks_.begin(); each != blocks_.end();) {
      const auto [whole, block] = *each;
      for (const auto& [first, last] : {before_of(block), behind_of(block)}) compare(whole, block, first, last, broken);
      if (!block.is_freed) {
        ++each;
        continue;
      }
      Engine::free(whole, block.whole_bytes(), {});
      each = blocks_.erase(each);
    }
    return broken;
  }

 private:
  using range = std::pair<std::size_t, std::size_t>;
  static range before_of(const margined_block&) { return {0, margin_bytes}; }
  static range behind_of(const margined_block& block) { return {block.behind(), block.whole_bytes()}; }

  // Tells of a margin once: what is there now is mended.
  void compare(std::byte* whole, const margined_block& block, std::size_t first, std::size_t last,
               std::vector<std::string>& broken) {
    const std::vector<std::byte> expected = block.poison(first, last);
    std::vector<std::byte> found(expected.size());
    Engine::copy_to_host(found.data(), whole + first, found.size());
    const auto at = std::mismatch(found.begin(), found.end(), expected.begin()).first - found.begin();
    if (at == static_cast<std::ptrdiff_t>(found.size())) return;
    const std::ptrdiff_t place = static_cast<std::ptrdiff_t>(first) + at - static_cast<std::ptrdiff_t>(margin_bytes);
    broken.push_back("a tensor of " + std::to_string(block.size_bytes) + " bytes: the byte at " +
                     std::to_string(place) + " was written");
    Engine::copy_from_host(whole + first, expected.data(), expected.size());
  }

  std::mutex mutex_;
  std::map<std::byte*, margined_block> blocks_;
  unsigned next_serial_ = 0;
};

}  // namespace tilewright::test
