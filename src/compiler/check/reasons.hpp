// SPDX-License-Identifier: Apache-2.0
// Why the kernel has to check a value itself.
#pragma once

#include <string>

#include "compiler/check/index_forms.hpp"

namespace tilewright::compiler {

// "it depends on data loaded from parameter 1": the first cause on the way to `value` that no launch can bound.
std::string reason_of(const program& source, index_forms& forms, value_id value);
// Of a requirement that no launch can judge.
std::string reason_of_condition(const program& source, index_forms& forms, value_id condition);

}  // namespace tilewright::compiler
