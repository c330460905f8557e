// SPDX-License-Identifier: Apache-2.0
// The interpreter back end: runs a program instruction by instruction, tile by tile. It defines the meaning that the
// other back ends are compared with, so it reads like the specification and optimises nothing.
#pragma once

#include <memory>

#include "tilewright/compiler/image.hpp"

namespace tilewright::compiler {

std::shared_ptr<const image> emit_interp(const program& source);

}  // namespace tilewright::compiler
