// SPDX-License-Identifier: Apache-2.0
// The tables of a file: types, constants and debug attributes, and attributes with a tag, which name entries of them.
#pragma once

#include "compiler/tileir/byte_source.hpp"
#include "compiler/tileir/bytecode.hpp"

namespace tilewright::compiler::tileir {

// Strings must be read already for read_tagged, types too.
void read_types(byte_source section, bytecode& into);
void read_strings(byte_source section, bytecode& into);
void read_constants(byte_source section, bytecode& into);
void read_debug_attributes(byte_source& section, bytecode& into);

attribute read_tagged(byte_source& source, const bytecode& from, int depth = 0);
// What follows the tag.
attribute read_payload(byte_source& source, const bytecode& from, attribute_tag tag, int depth = 0);

}  // namespace tilewright::compiler::tileir
