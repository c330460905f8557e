// layer: types: the parameters of a Task are values
// SPDX-License-Identifier: Apache-2.0
// expect: takes no view
// topic: coroutines
// needs: tilewright/runtime/task.hpp
#include "misuse.hpp"

Task<int> look(std::span<const float> values) { co_return static_cast<int>(values.size()); }

void misuse(Device d) { std::move(*std::make_unique<Task<int>>(look({}))).discard(); }
