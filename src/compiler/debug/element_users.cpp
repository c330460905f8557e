// SPDX-License-Identifier: Apache-2.0
#include "compiler/debug/element_users.hpp"

namespace tilewright::compiler::debug {

// Reads go together, and so do combining steps, in any order.
element_users::conflict element_users::note(const std::byte* element, use how, std::int64_t block) {
  users& all = elements_[element];
  all.of[static_cast<std::size_t>(how)].add(block);
  for (const use other : {use::store, use::combine, use::read}) {
    if (other == how && how != use::store) continue;
    const std::int64_t found = all.of[static_cast<std::size_t>(other)].other_than(block);
    if (found != nobody) return {found, other};
  }
  return {nobody, how};
}

}  // namespace tilewright::compiler::debug
