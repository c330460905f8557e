// SPDX-License-Identifier: Apache-2.0
#include "compiler/constant_bits.hpp"

#include "compiler/scalar_semantics.hpp"

namespace tilewright::compiler {

std::int64_t constant_word(std::int64_t word, dtype element) {
  return semantics::visit_element(element, [word]<class T>(std::type_identity<T>) {
    return semantics::to_constant(semantics::from_constant<T>(word));
  });
}

}  // namespace tilewright::compiler
