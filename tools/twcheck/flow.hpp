// SPDX-License-Identifier: Apache-2.0
// The walk over a function's control flow: every path's effects joined until nothing changes, then the messages.
#pragma once

#include "rules.hpp"

namespace twcheck {

void check_function(const clang::FunctionDecl& function, program& all);
// What is known after a call of `function`, whose caller knows `before` and has told `as` what the names mean; nothing
// where it does not return.
std::optional<state> follow(const clang::FunctionDecl& function, program& all, rules& as, const state& before,
                            bool writes);

}  // namespace twcheck
