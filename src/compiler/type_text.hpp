// SPDX-License-Identifier: Apache-2.0
// How types stand in messages and dumps: "f32[64, 32]", "index".
#pragma once

#include <string>

#include "tilewright/compiler/program.hpp"

namespace tilewright::compiler {

std::string extents_text(const value_type& type);  // "[64, 32]", "[]" at rank 0
std::string type_text(const value_type& type);     // "f32[64, 32]", "f32" at rank 0

}  // namespace tilewright::compiler
