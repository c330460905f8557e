// SPDX-License-Identifier: Apache-2.0
// Which blocks of one launch used an element, to find two that are in each other's way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace tilewright::compiler::debug {

enum class use : std::uint8_t { read, store, combine };

class element_users {
 public:
  struct conflict {
    std::int64_t block;  // the other one
    use how;
  };
  static constexpr std::int64_t nobody = -1;

  // Notes a use; tells of an earlier one by another block that it may not meet. `block` of the result: maybe nobody.
  conflict note(const std::byte* element, use how, std::int64_t block);

 private:
  // Two blocks are enough to tell whether there is another one than a given one.
  struct two_blocks {
    std::int64_t first = nobody, other = nobody;
    void add(std::int64_t block) {
      if (first == nobody) first = block;
      if (first != block) other = block;
    }
    std::int64_t other_than(std::int64_t block) const { return first != block ? first : other; }
  };
  struct users {
    two_blocks of[3];  // by use
  };
  std::unordered_map<const std::byte*, users> elements_;
};

}  // namespace tilewright::compiler::debug
