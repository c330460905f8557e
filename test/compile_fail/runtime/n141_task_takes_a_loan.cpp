// SPDX-License-Identifier: Apache-2.0
// expect-error: a Task.s coroutine takes no loan
#include "support/misuse_kernels.hpp"
#include "tilewright/runtime/task.hpp"

using namespace tilewright;
using namespace tilewright::test;

#ifndef TILEWRIGHT_FIXED
Task<> misuse(LentInput<f32> x);
using refused = std::coroutine_traits<Task<>, LentInput<f32>>::promise_type;
#else
Task<> misuse(Tensor<f32> x);
using accepted = std::coroutine_traits<Task<>, Tensor<f32>>::promise_type;
#endif
