// SPDX-License-Identifier: Apache-2.0
#include "tilewright/compiler/compile.hpp"
namespace tilewright::compiler {
void simplify(program&) {}
}  // namespace tilewright::compiler
