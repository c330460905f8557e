// SPDX-License-Identifier: Apache-2.0
#include "compiler/constant_bits.hpp"

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler {

std::int64_t constant_word(std::int64_t word, dtype element) {
  return semantics::visit_element(element, [word]<class T>(std::type_identity<T>) {
    return semantics::to_constant(semantics::from_constant<T>(word));
  });
}

std::string element_bytes(std::span<const std::int64_t> words, dtype element) {
  std::string bytes;
  semantics::visit_element(element, [&]<class T>(std::type_identity<T>) {
    for (const std::int64_t word : words) {
      const T value = semantics::from_constant<T>(word);
      // SAFETY: any object may be read as characters.
      bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
  });
  return bytes;
}

}  // namespace tilewright::compiler
