// SPDX-License-Identifier: Apache-2.0
// What the scopes of the calling thread have lent to work in flight, so that other uses of the same elements are
// refused.
#pragma once

#include <span>

#include "tilewright/ast/module_view.hpp"
#include "tilewright/runtime/detail/launch_plan.hpp"

namespace tilewright::detail {

// Throws usage_error for a launch that shares an element with what is lent, where one of them writes it. No module: a
// copy.
void require_no_scope_loan(const ast::module_view* module, std::span<const launch_argument> arguments);
// The same for the host, which reads or writes the whole of it.
void require_no_scope_loan(const storage* memory, const char* what, bool is_written);

}  // namespace tilewright::detail
