// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

// The module in a file of version 13.1 to 13.5. Every size, id and place is checked, and the rules of types; what an
// operation asks of the types of its operands is left to find_fault (verify.hpp). Throws io_error with the offset of
// the byte.
bytecode read(std::string_view bytes);

}  // namespace tilewright::compiler::tileir
