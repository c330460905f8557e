// SPDX-License-Identifier: Apache-2.0
// The walk over a function's control flow: every path's effects joined until nothing changes, then the messages.
#pragma once

#include "rules.hpp"

namespace twcheck {

void check_function(const clang::FunctionDecl& function, clang::ASTContext& context, types& known, messages& out);

}  // namespace twcheck
